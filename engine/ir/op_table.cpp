#include <algorithm>

#include "engine/ir/op_def.hpp"

namespace fusescope {

std::vector<OpDef> op_all();  // generated from the files of engine/ops

int OpDef::attribute(std::string_view name) const noexcept {
    for (std::size_t i = 0; i < schema.attributes.size(); ++i) {
        if (schema.attributes[i].name == name) return static_cast<int>(i);
    }
    return -1;
}

Attrs OpDef::defaults() const {
    Attrs a;
    for (const AttrSpec& spec : schema.attributes) a.push_back(spec.default_value);
    return a;
}

OpTable::OpTable() : rows_(op_all()) {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        OpDef& row = rows_[i];
        row.id = static_cast<OpId>(i);
        by_name_.emplace_back(row.schema.name, row.id);
        if (!row.schema.functional.empty()) by_functional_.emplace_back(row.schema.functional, row.id);
        for (const std::string& alias : row.schema.aliases) by_functional_.emplace_back(alias, row.id);
    }
    std::sort(by_name_.begin(), by_name_.end());
    std::sort(by_functional_.begin(), by_functional_.end());
}

const OpTable& OpTable::get() {
    // Never destroyed: handles in static objects may outlive it otherwise.
    static const OpTable* table = new OpTable;
    return *table;
}

namespace {
const OpDef* look_up(const std::vector<std::pair<std::string, OpId>>& names, std::string_view name,
                     std::span<const OpDef> rows) noexcept {
    auto it = std::lower_bound(names.begin(), names.end(), name,
                               [](const auto& entry, std::string_view n) { return entry.first < n; });
    if (it == names.end() || it->first != name) return nullptr;
    return &rows[static_cast<std::size_t>(it->second)];
}
}  // namespace

const OpDef* OpTable::find(std::string_view name) const noexcept { return look_up(by_name_, name, rows_); }
const OpDef* OpTable::find_functional(std::string_view name) const noexcept {
    return look_up(by_functional_, name, rows_);
}

}  // namespace fusescope
