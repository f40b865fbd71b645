// What did the program print?
#include "profiler/query/output.hpp"

namespace fusescope::query {

std::vector<OutputPiece> output(Database& database, std::int64_t after_id) {
    std::vector<OutputPiece> all;
    Statement statement = database.prepare("SELECT id, stream, time_ns, text FROM output WHERE id > ?1 ORDER BY id");
    statement.bind_all(after_id);
    while (statement.step()) {
        OutputPiece& piece = all.emplace_back();
        statement.read(piece.id, piece.stream, piece.time_ns, piece.text);
    }
    return all;
}

}  // namespace fusescope::query
