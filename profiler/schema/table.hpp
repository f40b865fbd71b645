// How a table is described: once, in its own file under tables/. DDL, insert statement, row binding, documentation and
// the check of an opened file derive from it.
#pragma once

#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include "profiler/db/statement.hpp"

namespace fusescope {

struct ColumnDescription {
    std::string name;
    std::string type;         ///< INTEGER, REAL, TEXT or BLOB
    std::string constraint;   ///< "PRIMARY KEY", "NOT NULL" or empty
    std::string meaning;      ///< one sentence; units in it
    bool in_contract = true;  ///< false: added later, so a valid file may lack it
};

struct IndexDescription {
    std::string columns;  ///< "graph_id, ordinal"
    std::string where;    ///< condition of a partial index; empty for all rows
};

struct TableDescription {
    std::string name;
    std::string meaning;
    bool in_contract = true;
    bool without_rowid = false;
    std::vector<ColumnDescription> columns;
    std::vector<IndexDescription> indexes;  ///< made when a recording ends, so that they do not slow it down
};

/// Marks for column(): which promise a column is under.
enum class Since { contract, extension };

/// A description together with the function that binds each column of a `Row`.
template <class Row>
struct BoundTable {
    using Bind = void (*)(Statement&, int, const Row&);
    struct Column {
        ColumnDescription description;
        Bind bind;
    };

    BoundTable(std::string name, std::string meaning, Since since, std::vector<Column> columns,
               std::vector<IndexDescription> indexes = {}, bool without_rowid = false) {
        description.name = std::move(name);
        description.meaning = std::move(meaning);
        description.in_contract = since == Since::contract;
        description.without_rowid = without_rowid;
        description.indexes = std::move(indexes);
        for (Column& column : columns) {
            binds.push_back(column.bind);
            description.columns.push_back(std::move(column.description));
        }
    }

    /// Binds every column of `row` in order.
    void bind(Statement& statement, const Row& row) const {
        int parameter = 0;
        for (Bind each : binds) each(statement, ++parameter, row);
    }

    TableDescription description;
    std::vector<Bind> binds;
};

template <class T>
struct SqlType {
    static constexpr const char* name = std::is_integral_v<T>         ? "INTEGER"
                                        : std::is_floating_point_v<T> ? "REAL"
                                        : std::is_same_v<T, RowId>    ? "INTEGER"
                                        : std::is_same_v<T, Blob>     ? "BLOB"
                                                                      : "TEXT";
};
template <class T>
struct SqlType<std::optional<T>> : SqlType<T> {};

/// One column whose value is `std::invoke(Get, row)`: a member pointer, or a function of the row. The SQL type follows
/// from the value's type.
template <class Row, auto Get>
typename BoundTable<Row>::Column column(const char* name, const char* constraint, const char* meaning,
                                        Since since = Since::contract) {
    using Value = std::remove_cvref_t<std::invoke_result_t<decltype(Get), const Row&>>;
    return {
        {name, SqlType<Value>::name, constraint, meaning, since == Since::contract},
        [](Statement& statement, int parameter, const Row& row) { statement.bind(parameter, std::invoke(Get, row)); }};
}

/// For column(): the id in `Member`, NULL when it is 0.
template <auto Member>
inline constexpr auto row_id =
    [](const auto& row) { return RowId{static_cast<std::uint64_t>(std::invoke(Member, row))}; };

}  // namespace fusescope
