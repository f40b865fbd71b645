// Requests, responses and events of the Debug Adapter Protocol as JSON values, and reading them without trust.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace fusescope::dap {

using Json = nlohmann::json;

/// A member as text, number or truth; the fallback when it is missing or of another type.
std::string text_of(const Json& object, const char* key, const std::string& fallback = {});
std::int64_t number_of(const Json& object, const char* key, std::int64_t fallback = 0);
bool truth_of(const Json& object, const char* key, bool fallback = false);
/// A member that is an object or an array; empty when it is missing or of another type.
const Json& object_of(const Json& object, const char* key);
const Json& array_of(const Json& object, const char* key);
std::vector<std::string> texts_of(const Json& object, const char* key);

Json response_to(const Json& request, Json body = Json::object());
/// `message` is what the user is shown.
Json failure_of(const Json& request, const std::string& message);
Json event(const std::string& name, Json body = Json::object());

/// Text for sending; bytes that are no UTF-8 are replaced.
std::string dumped(const Json& message);
/// Null when it is no JSON object.
Json parsed(std::string_view text);

}  // namespace fusescope::dap
