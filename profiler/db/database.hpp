// A connection to a profile database, with its statements cached. The only folder that sees sqlite3.h is this one.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "profiler/db/database_error.hpp"
#include "profiler/db/statement.hpp"

struct sqlite3;

namespace fusescope {

/// Belongs to one thread at a time; only interrupt() may be called from another. Cheap to open (about a millisecond).
class Database {
 public:
    /// Opens a saved or growing profile for reading, as untrusted data: nothing stored in it is executed, the file is
    /// not changed and no file appears beside it. Works on read-only media and on what a killed run left behind.
    /// Throws DatabaseError.
    ///
    /// Somebody who reads a profile while it grows should open it anew for each refresh and not keep the connection:
    /// the writer can leave one plain file only when nobody holds the database at its end.
    static Database open_readonly(const std::string& path);

    /// Makes a new, empty database file; whatever `path` named before must be gone. Throws DatabaseError.
    static Database create(const std::string& path);

    Database(Database&& other) noexcept;
    Database& operator=(Database&& other) noexcept;
    ~Database();

    const std::string& path() const noexcept { return path_; }

    /// A statement for `sql`, prepared at its first use.
    Statement prepare(std::string_view sql);

    /// Runs statements that give no rows.
    void execute(std::string_view sql);

    /// First column of the first row, or `otherwise` when there is no row or it is NULL.
    std::int64_t integer(std::string_view sql, std::int64_t otherwise = 0);

    /// Makes the statement that runs at the moment throw DatabaseError(interrupted). Any thread.
    void interrupt() noexcept;

    /// Rows inserted, changed or deleted since opening.
    std::int64_t total_changes() const noexcept;

    /// Moves everything from the write-ahead log into the file and makes it one plain file. False when a reader holds
    /// the database for longer than `patience_ms`; the profile is complete all the same, with its log beside it.
    bool finish_as_plain_file(int patience_ms);

    [[noreturn]] void raise(int code) const;  ///< throws what SQLite just reported

 private:
    friend class Statement;
    friend class Transaction;
    friend class ReadonlyOpening;
    struct Cache;

    Database(sqlite3* handle, std::string path);
    static Database open(const std::string& uri, const std::string& path, int flags, const char* vfs);
    void close() noexcept;

    sqlite3* handle_ = nullptr;
    std::string path_;
    std::string private_copy_;  ///< directory of a private copy to be removed at the end; usually empty
    std::unique_ptr<Cache> cache_;
};

/// Rolls back when it is destroyed before commit().
class Transaction {
 public:
    explicit Transaction(Database& database);
    ~Transaction();
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;
    void commit();

 private:
    Database& database_;
    bool open_ = true;
};

}  // namespace fusescope
