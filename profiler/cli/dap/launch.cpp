#include "profiler/cli/dap/launch.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "engine/passes/pass.hpp"
#include "profiler/cli/arguments.hpp"

namespace fusescope::cli {
namespace {

using dap::Json;

[[noreturn]] void refuse(const char* key, const std::string& why) {
    throw UsageError("\"" + std::string(key) + "\" " + why);
}

/// Null is as good as absent; anything else of another type is a mistake that the user is to hear of.
const Json* given(const Json& a, const char* key) {
    const auto at = a.find(key);
    return at == a.end() || at->is_null() ? nullptr : &*at;
}

std::string text(const Json& a, const char* key, const std::string& fallback = {}) {
    const Json* value = given(a, key);
    if (value && !value->is_string()) refuse(key, "is a text, not " + value->dump());
    return value ? value->get<std::string>() : fallback;
}

bool truth(const Json& a, const char* key, bool fallback) {
    const Json* value = given(a, key);
    if (value && !value->is_boolean()) refuse(key, "is true or false, not " + value->dump());
    return value ? value->get<bool>() : fallback;
}

std::size_t choice(const Json& a, const char* key, const std::vector<std::string>& words, std::size_t fallback) {
    const std::string word = text(a, key, words[fallback]);
    const auto at = std::find(words.begin(), words.end(), word);
    if (at != words.end()) return static_cast<std::size_t>(at - words.begin());
    std::string list;
    for (const std::string& w : words) list += (list.empty() ? "" : ", ") + w;
    refuse(key, "is one of " + list + ", not '" + word + "'");
}

const std::vector<std::string> kModes = {"script", "eager", "graph"};
const std::vector<std::string> kDevices = {"script", "cpu", "ascend", "ascend-model"};
const std::vector<std::string> kWatches = {"off", "health", "stats", "values"};

}  // namespace

Launch launch_of(const Json& a) {
    Launch l;
    l.program = text(a, "program");
    l.folder = text(a, "cwd");
    l.mode = kModes[choice(a, "mode", kModes, 0)];
    l.device = kDevices[choice(a, "device", kDevices, 0)];
    l.watch = static_cast<Watch>(choice(a, "watch", kWatches, 0));
    l.profile = text(a, "profile");
    l.passes = text(a, "passes");
    try {
        const passes::PassSwitches switches(l.passes);
    } catch (const std::exception& e) {
        refuse("passes", std::string("is not understood: ") + e.what());
    }
    if (const Json* args = given(a, "args")) {
        if (!args->is_array()) refuse("args", "is a list of texts, not " + args->dump());
        for (const Json& each : *args) {
            if (!each.is_string() && !each.is_number()) refuse("args", "holds texts, not " + each.dump());
            l.args.push_back(each.is_string() ? each.get<std::string>() : each.dump());
        }
    }
    if (const Json* env = given(a, "env")) {
        if (!env->is_object()) refuse("env", "is an object of texts, not " + env->dump());
        for (const auto& [name, value] : env->items()) {
            if (value.is_null()) {
                l.unset_variables.push_back(name);
            } else if (value.is_string() || value.is_number() || value.is_boolean()) {
                l.set_variables.emplace_back(name, value.is_string() ? value.get<std::string>() : value.dump());
            } else {
                refuse("env", "holds texts, and null for what is to be removed, not " + value.dump());
            }
        }
    }
    const std::string budget = text(a, "valuesBudget", "64M");
    const auto size = parse_size(budget);
    if (!size) refuse("valuesBudget", "'" + budget + "' is not a size; write 256M or 1G");
    l.history = {static_cast<std::size_t>(*size), 200'000, true};
    l.observed = !truth(a, "noDebug", false);
    l.stop_on_entry = truth(a, "stopOnEntry", false) && l.observed;
    l.step_into_libraries = !truth(a, "justMyCode", true);
    if (l.profile.empty()) {
        const char* folder = std::getenv("TMPDIR");
        l.profile =
            std::string(folder && *folder ? folder : "/tmp") + "/fusescope-" + std::to_string(::getpid()) + ".fscope";
    }
    return l;
}

}  // namespace fusescope::cli
