#include "fusescope/nn/cell.hpp"

#include <algorithm>

#include "fusescope/error.hpp"
#include "fusescope/runtime.hpp"

namespace fusescope::nn {

Tensor Cell::operator()(const Tensor& x) {
    if (scope_.empty()) return construct(x);
    const Scope scope(scope_);
    return construct(x);
}

Parameter Cell::add(const std::string& name, const Tensor& value, bool requires_grad) {
    return own_.emplace_back(value, name, requires_grad);
}

void Cell::add(const std::string& name, Cell& cell) {
    for (const auto& [other, known] : cells_) {
        if (other == name)
            throw UserError(ErrorKind::value, "", kind_ + ": there is a Cell named `" + name + "` already");
    }
    cell.prefix(name + ".");
    cell.scope_ = name + "-" + cell.kind_;
    cells_.emplace_back(name, &cell);
}

void Cell::prefix(const std::string& with) {
    for (Parameter& p : own_) p.set_name(with + p.name());
    for (auto& [name, cell] : cells_) cell->prefix(with);
}

void Cell::collect(std::vector<Parameter>& into) const {
    for (const Parameter& p : own_) {
        const auto is_it = [&](const Parameter& other) { return same(p, other); };
        if (std::none_of(into.begin(), into.end(), is_it)) into.push_back(p);
    }
    for (const auto& [name, cell] : cells_) cell->collect(into);
}

std::vector<Parameter> Cell::parameters() const {
    std::vector<Parameter> all;
    collect(all);
    return all;
}

std::vector<Parameter> Cell::trainable_params() const {
    std::vector<Parameter> all = parameters();
    std::erase_if(all, [](const Parameter& p) { return !p.requires_grad(); });
    return all;
}

Parameter Cell::parameter(const std::string& name) const {
    std::string known;
    for (const Parameter& p : parameters()) {
        if (p.name() == name) return p;
        known += (known.empty() ? "" : ", ") + p.name();
    }
    throw UserError(ErrorKind::value, "", kind_ + " has no Parameter `" + name + "`; its Parameters are " + known);
}

void Cell::set_train(bool on) {
    training_ = on;
    for (auto& [name, cell] : cells_) cell->set_train(on);
}

}  // namespace fusescope::nn
