#include "fusescope/source_line.hpp"

#include <map>
#include <mutex>
#include <tuple>

#include "engine/api/recording.hpp"
#include "engine/core/context.hpp"

namespace fusescope {
namespace {

using Key = std::tuple<FrameId, std::string, std::uint32_t, std::string>;  // caller, file, line, function

std::mutex mutex;
std::map<Key, FrameId>& frames() {
    static auto* table = new std::map<Key, FrameId>;  // outlives every recorder
    return *table;
}

thread_local FrameId current = 0;
FrameId site(void*) { return current; }

void define(Recorder& recorder, FrameId id, const Key& key) {
    const auto& [parent, file, line, function] = key;
    recorder.define_frame(id, {parent, file, static_cast<std::int32_t>(line), function});
}

}  // namespace

SourceLine::SourceLine(std::source_location where) : outer_(current) {
    Context& context = Context::current();
    const std::scoped_lock lock(mutex);
    Key key{outer_, where.file_name(), where.line(), where.function_name()};
    auto [it, fresh] = frames().try_emplace(std::move(key), static_cast<FrameId>(frames().size() + 1));
    if (fresh && context.recorder) define(*context.recorder, it->second, it->first);
    current = it->second;
    if (!context.site) context.site = &site;
}

SourceLine::~SourceLine() { current = outer_; }

void announce_source_frames(Recorder& recorder) {
    const std::scoped_lock lock(mutex);
    std::map<FrameId, const Key*> by_id;  // callers before the called
    for (const auto& [key, id] : frames()) by_id.emplace(id, &key);
    for (const auto& [id, key] : by_id) define(recorder, id, *key);
}

}  // namespace fusescope
