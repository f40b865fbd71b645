// Source files, call stacks and names.
#include "profiler/query/frames.hpp"

namespace fusescope::query {

std::vector<Source> sources(Database& database) {
    std::vector<Source> all;
    Statement statement = database.prepare("SELECT id, path, text IS NOT NULL, note FROM source ORDER BY id");
    while (statement.step()) {
        Source& source = all.emplace_back();
        statement.read(source.id, source.path, source.has_text, source.note);
    }
    return all;
}

std::optional<std::string> source_text(Database& database, std::int64_t source_id) {
    Statement statement = database.prepare("SELECT text FROM source WHERE id = ?1");
    statement.bind_all(source_id);
    std::optional<std::string> text;
    if (statement.step()) statement.read(text);
    return text;
}

std::optional<Frame> frame(Database& database, std::int64_t id) {
    Statement statement = database.prepare(
        "SELECT f.id, f.parent_id, f.source_id, s.path, f.line, f.function FROM frame f LEFT JOIN source s ON s.id = "
        "f.source_id WHERE f.id = ?1");
    statement.bind_all(id);
    if (!statement.step()) return std::nullopt;
    Frame frame;
    statement.read(frame.id, frame.parent_id, frame.source_id, frame.path, frame.line, frame.function);
    return frame;
}

std::vector<Frame> stack(Database& database, std::int64_t frame_id) {
    // A damaged file could hold a circle of parents.
    constexpr std::size_t deepest = 10000;
    std::vector<Frame> all;
    while (frame_id != 0 && all.size() < deepest) {
        std::optional<Frame> next = frame(database, frame_id);
        if (!next) break;
        frame_id = next->parent_id;
        all.push_back(std::move(*next));
    }
    return all;
}

std::unordered_map<std::int64_t, std::string> call_paths(Database& database) {
    struct Call {
        std::int64_t parent = 0;
        std::string function;
    };
    std::unordered_map<std::int64_t, Call> frames;
    Statement statement = database.prepare("SELECT id, parent_id, function FROM frame");
    while (statement.step()) {
        std::int64_t id = 0;
        Call call;
        statement.read(id, call.parent, call.function);
        frames[id] = std::move(call);
    }
    std::unordered_map<std::int64_t, std::string> paths;
    for (const auto& [id, call] : frames) {
        std::vector<const std::string*> names;
        constexpr std::size_t deepest = 200;  // also ends a circle of parents in a damaged file
        std::int64_t at = id;
        for (auto it = frames.find(at); it != frames.end() && names.size() < deepest; it = frames.find(at)) {
            if (it->second.function != "<module>") names.push_back(&it->second.function);
            at = it->second.parent;
        }
        std::string& path = paths[id];
        for (std::size_t i = names.size(); i-- > 0;) path += (path.empty() ? "" : "/") + *names[i];
    }
    return paths;
}

std::vector<Kind> op_kinds(Database& database) {
    std::vector<Kind> all;
    Statement statement = database.prepare("SELECT id, name FROM op_kind ORDER BY id");
    while (statement.step()) {
        Kind& kind = all.emplace_back();
        statement.read(kind.id, kind.name);
    }
    return all;
}

std::vector<Scope> scopes(Database& database) {
    std::vector<Scope> all;
    Statement statement = database.prepare("SELECT id, path FROM scope ORDER BY id");
    while (statement.step()) {
        Scope& scope = all.emplace_back();
        statement.read(scope.id, scope.path);
    }
    return all;
}

}  // namespace fusescope::query
