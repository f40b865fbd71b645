#include "profiler/dap/message.hpp"

namespace fusescope::dap {

std::string text_of(const Json& object, const char* key, const std::string& fallback) {
    const auto at = object.is_object() ? object.find(key) : object.end();
    return at != object.end() && at->is_string() ? at->get<std::string>() : fallback;
}

std::int64_t number_of(const Json& object, const char* key, std::int64_t fallback) {
    const auto at = object.is_object() ? object.find(key) : object.end();
    return at != object.end() && at->is_number_integer() ? at->get<std::int64_t>() : fallback;
}

bool truth_of(const Json& object, const char* key, bool fallback) {
    const auto at = object.is_object() ? object.find(key) : object.end();
    return at != object.end() && at->is_boolean() ? at->get<bool>() : fallback;
}

const Json& object_of(const Json& object, const char* key) {
    static const Json none = Json::object();
    const auto at = object.is_object() ? object.find(key) : object.end();
    return at != object.end() && at->is_object() ? *at : none;
}

const Json& array_of(const Json& object, const char* key) {
    static const Json none = Json::array();
    const auto at = object.is_object() ? object.find(key) : object.end();
    return at != object.end() && at->is_array() ? *at : none;
}

std::vector<std::string> texts_of(const Json& object, const char* key) {
    std::vector<std::string> texts;
    for (const Json& each : array_of(object, key)) {
        if (each.is_string()) texts.push_back(each.get<std::string>());
    }
    return texts;
}

Json response_to(const Json& request, Json body) {
    return {{"type", "response"},
            {"request_seq", number_of(request, "seq")},
            {"command", text_of(request, "command")},
            {"success", true},
            {"body", std::move(body)}};
}

Json failure_of(const Json& request, const std::string& message) {
    Json r = response_to(request, {{"error", {{"id", 1}, {"format", message}, {"showUser", false}}}});
    r["success"] = false;
    r["message"] = message;
    return r;
}

Json event(const std::string& name, Json body) {
    return {{"type", "event"}, {"event", name}, {"body", std::move(body)}};
}

std::string dumped(const Json& message) { return message.dump(-1, ' ', false, Json::error_handler_t::replace); }

Json parsed(std::string_view text) {
    Json value = Json::parse(text, nullptr, false);
    return value.is_object() ? value : Json();
}

}  // namespace fusescope::dap
