#include "fusescope/op_call.hpp"

#include "engine/core/context.hpp"
#include "engine/exec/dispatch.hpp"
#include "engine/ir/op_def.hpp"
#include "fusescope/error.hpp"

namespace fusescope {

Op::Op(std::string_view name) : row_(OpTable::get().find(name)) {
    if (!row_) {
        throw UserError(ErrorKind::value, std::string(name), "there is no op named " + std::string(name), {},
                        "`fusescope --list-ops` prints all names");
    }
}

std::vector<Tensor> Op::operator()(std::span<const Tensor> inputs, std::initializer_list<AttrValue> attributes) const {
    Attrs attrs{std::vector<AttrValue>(attributes)};
    const auto& specs = row_->schema.attributes;
    for (std::size_t i = attrs.size(); i < specs.size(); ++i) {
        if (specs[i].required) {
            throw UserError(ErrorKind::type, row_->name(),
                            row_->name() + ": attribute `" + specs[i].name + "` is missing");
        }
        attrs.push_back(specs[i].default_value);
    }
    return apply(*row_, inputs, attrs);
}

Tensor Op::one(std::initializer_list<Tensor> inputs, std::initializer_list<AttrValue> attributes) const {
    return (*this)(std::span(inputs.begin(), inputs.size()), attributes)[0];
}

std::vector<Tensor> Op::many(std::initializer_list<Tensor> inputs, std::initializer_list<AttrValue> attributes) const {
    return (*this)(std::span(inputs.begin(), inputs.size()), attributes);
}

}  // namespace fusescope
