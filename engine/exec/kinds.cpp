#include "engine/exec/kinds.hpp"

#include <map>
#include <mutex>
#include <string>

namespace fusescope::exec {
namespace {
struct Kinds {
    std::mutex mutex;
    std::map<std::string, KindId, std::less<>> ids;
};
Kinds& kinds() {
    static Kinds* k = new Kinds;
    return *k;
}
}  // namespace

KindId intern_kind(std::string_view name) {
    Kinds& k = kinds();
    std::scoped_lock lock(k.mutex);
    const auto it = k.ids.find(name);
    if (it != k.ids.end()) return it->second;
    return k.ids.emplace(name, static_cast<KindId>(kFirstFusedKind + k.ids.size())).first->second;
}

void announce_fused_kinds(Recorder& recorder) {
    Kinds& k = kinds();
    std::scoped_lock lock(k.mutex);
    for (const auto& [name, id] : k.ids) recorder.define_kind(id, name);
}

}  // namespace fusescope::exec
