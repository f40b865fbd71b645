// What follows from the descriptions of the tables.
#include "profiler/schema/schema.hpp"

#include <fmt/core.h>

#include "profiler/db/database.hpp"

namespace fusescope {

std::vector<const TableDescription*> schema_all();  // generated from the files of tables/

const std::vector<const TableDescription*>& schema_tables() {
    static const std::vector<const TableDescription*> tables = schema_all();
    return tables;
}

std::string create_table_sql(const TableDescription& table) {
    std::string sql = fmt::format("CREATE TABLE {} (", table.name);
    std::string separator;
    std::string key;
    for (const ColumnDescription& column : table.columns) {
        sql += fmt::format("{}{} {}", separator, column.name, column.type);
        if (column.constraint == "KEY") {  // part of a key of several columns
            key += (key.empty() ? "" : ", ") + column.name;
            sql += " NOT NULL";
        } else if (!column.constraint.empty()) {
            sql += " " + column.constraint;
        }
        separator = ", ";
    }
    if (!key.empty()) sql += fmt::format(", PRIMARY KEY ({})", key);
    return sql + (table.without_rowid ? ") WITHOUT ROWID" : ")");
}

std::string insert_sql(const TableDescription& table) {
    std::string names;
    std::string values;
    for (const ColumnDescription& column : table.columns) {
        names += (names.empty() ? "" : ", ") + column.name;
        values += values.empty() ? "?" : ", ?";
    }
    return fmt::format("INSERT OR IGNORE INTO {} ({}) VALUES ({})", table.name, names, values);
}

std::vector<std::string> create_index_sql() {
    std::vector<std::string> all;
    for (const TableDescription* table : schema_tables()) {
        int number = 0;
        for (const IndexDescription& index : table->indexes) {
            std::string sql =
                fmt::format("CREATE INDEX IF NOT EXISTS {0}_{1} ON {0} ({2})", table->name, ++number, index.columns);
            if (!index.where.empty()) sql += " WHERE " + index.where;
            all.push_back(sql);
        }
    }
    return all;
}

void create_schema(Database& database) {
    // These two stand outside of the write-ahead log from the first moment on, so that a file whose log got lost is
    // still known for what it is.
    Transaction transaction(database);
    database.execute(fmt::format("PRAGMA application_id = {}", kApplicationId));
    database.execute(fmt::format("PRAGMA user_version = {}", kSchemaVersion));
    for (const TableDescription* table : schema_tables()) database.execute(create_table_sql(*table));
    transaction.commit();
}

std::string schema_markdown() {
    std::string page = fmt::format(
        "# The profile database\n\n"
        "A profile (`.fscope`) is an SQLite database with `PRAGMA application_id = 0x{:X}` and `PRAGMA user_version = "
        "{}`. Times are integer nanoseconds of one monotonic clock per run. Tables and columns marked with + were "
        "added to the format; a reader should cope without them.\n",
        kApplicationId, kSchemaVersion);
    for (const TableDescription* table : schema_tables()) {
        page += fmt::format("\n## {}{}\n\n{}\n\n| column | type | meaning |\n|---|---|---|\n", table->name,
                            table->in_contract ? "" : " +", table->meaning);
        for (const ColumnDescription& column : table->columns) {
            std::string mark = column.in_contract || !table->in_contract ? "" : " +";
            page += fmt::format("| `{}`{} | {} | {} |\n", column.name, mark, column.type, column.meaning);
        }
    }
    return page;
}

}  // namespace fusescope
