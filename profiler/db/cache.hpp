// Prepared statements that wait for their next use. Private to this folder.
#pragma once

#include <sqlite3.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/db/database.hpp"

namespace fusescope {

struct Database::Cache {
    std::map<std::string, std::vector<sqlite3_stmt*>, std::less<>> idle;

    ~Cache() { clear(); }
    void clear() noexcept {
        for (auto& [sql, statements] : idle) {
            for (sqlite3_stmt* statement : statements) sqlite3_finalize(statement);
        }
        idle.clear();
    }
    sqlite3_stmt* take(std::string_view sql) {
        auto found = idle.find(sql);
        if (found == idle.end() || found->second.empty()) return nullptr;
        sqlite3_stmt* statement = found->second.back();
        found->second.pop_back();
        return statement;
    }
    void put(sqlite3_stmt* statement) noexcept {
        try {
            idle[sqlite3_sql(statement)].push_back(statement);
        } catch (...) {  // no memory to remember it: let it go
            sqlite3_finalize(statement);
        }
    }
};

}  // namespace fusescope
