// The parts of a finding's detail, out of its JSON.
#include "profiler/query/finding_detail.hpp"

#include <nlohmann/json.hpp>

namespace fusescope::query {

namespace {

using nlohmann::json;

std::string text_of(const json& object, const char* key) {
    auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::optional<std::int64_t> number_of(const json& object, const char* key) {
    auto found = object.find(key);
    if (found == object.end() || !found->is_number_integer()) return std::nullopt;
    return found->get<std::int64_t>();
}

std::vector<std::string> texts_of(const json& object, const char* key) {
    std::vector<std::string> all;
    auto found = object.find(key);
    if (found == object.end() || !found->is_array()) return all;
    for (const json& each : *found) {
        all.push_back(each.is_string() ? each.get<std::string>()
                                       : each.dump(-1, ' ', false, json::error_handler_t::replace));
    }
    return all;
}

std::vector<std::int64_t> numbers_of(const json& object, const char* key) {
    std::vector<std::int64_t> all;
    auto found = object.find(key);
    if (found == object.end() || !found->is_array()) return all;
    for (const json& each : *found) {
        if (each.is_number_integer()) all.push_back(each.get<std::int64_t>());
    }
    return all;
}

}  // namespace

FindingDetail parse_finding_detail(std::string_view text) {
    FindingDetail detail;
    json object = json::parse(text, nullptr, false);
    if (!object.is_object()) return detail;
    detail.op = text_of(object, "op");
    detail.file = text_of(object, "file");
    detail.line = number_of(object, "line").value_or(0);
    detail.phase = text_of(object, "phase");
    detail.rule = text_of(object, "rule");
    detail.step = number_of(object, "step");
    detail.count = number_of(object, "count");
    detail.inputs = texts_of(object, "inputs");
    detail.shapes = texts_of(object, "shapes");
    detail.advice = text_of(object, "advice");
    detail.index = numbers_of(object, "index");
    detail.reach = text_of(object, "reach");
    detail.reach_line = number_of(object, "reach_line").value_or(0);
    detail.occurrences = number_of(object, "occurrences").value_or(1);
    if (auto chain = object.find("chain"); chain != object.end() && chain->is_array()) {
        for (const json& link : *chain) {
            if (!link.is_object()) continue;
            detail.chain.push_back({text_of(link, "op"), text_of(link, "file"), text_of(link, "name"),
                                    text_of(link, "phase"), text_of(link, "value"),
                                    number_of(link, "line").value_or(0), numbers_of(link, "index")});
        }
    }
    if (auto root = object.find("root"); root != object.end() && root->is_object()) {
        detail.root_op = text_of(*root, "op");
        detail.root_file = text_of(*root, "file");
        detail.root_line = number_of(*root, "line").value_or(0);
        detail.root_name = text_of(*root, "name");
        detail.root_index = numbers_of(*root, "index");
        detail.root_value = text_of(*root, "value");
    }
    if (auto arguments = object.find("arguments"); arguments != object.end() && arguments->is_object()) {
        for (const auto& [key, value] : arguments->items()) {
            detail.arguments[key] = value.is_string() ? value.get<std::string>()
                                                      : value.dump(-1, ' ', false, json::error_handler_t::replace);
        }
    }
    return detail;
}

}  // namespace fusescope::query
