// Where does a word occur: in which ops, nodes, scopes, graphs, tensors and source lines?
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/query/relations.hpp"

namespace fusescope::query {

enum class SearchIn { ops, graphs, scopes, nodes, lines, tensors };

struct SearchHit {
    Place place;
    std::string text;           ///< that was matched: a name, a path, a line of source, `MatMul (2, 3) Float32`
    std::string where;          ///< graph and pass of a node, file of a line, place of a tensor; may be empty
    std::int64_t line = 0;      ///< of a line or tensor, else 0
    std::int64_t op_event = 0;  ///< that made the tensor, else 0
};

/// Decides whether a text is wanted; called on the thread that searches.
using SearchMatch = std::function<bool(std::string_view)>;

/// The first `limit` hits in one kind of thing. Nodes are given once, those of the graph that ran before those that are
/// gone; tensors in order of time, with " NaN" or " Inf" at the end of the text of those that have one.
std::vector<SearchHit> search(Database& database, SearchIn in, const SearchMatch& match, std::size_t limit);

}  // namespace fusescope::query
