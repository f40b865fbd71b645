// The profile database's schema as a whole.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "profiler/schema/table.hpp"

namespace fusescope {

inline constexpr std::int64_t kApplicationId = 0x46534350;  ///< "FSCP"
inline constexpr std::int64_t kSchemaVersion = 1;           ///< PRAGMA user_version

/// Every table, in order of names.
const std::vector<const TableDescription*>& schema_tables();

/// CREATE TABLE statement of one table.
std::string create_table_sql(const TableDescription& table);

/// INSERT statement with one parameter for each column, in order. A row whose key exists already is left as it is.
std::string insert_sql(const TableDescription& table);

/// CREATE INDEX statements of every table.
std::vector<std::string> create_index_sql();

/// Makes all tables in an empty database and marks it as a profile. Indexes come at the end of a recording.
void create_schema(Database& database);

/// The documentation page of the format, in Markdown.
std::string schema_markdown();

}  // namespace fusescope
