// A connection to a profile database.
#include "profiler/db/database.hpp"

#include <fmt/core.h>
#include <sqlite3.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <thread>
#include <utility>

#include "profiler/db/cache.hpp"
#include "profiler/db/uri.hpp"

namespace fusescope {

Database::Database(sqlite3* handle, std::string path)
    : handle_(handle), path_(std::move(path)), cache_(std::make_unique<Cache>()) {}

Database::Database(Database&& other) noexcept
    : handle_(std::exchange(other.handle_, nullptr)),
      path_(std::move(other.path_)),
      private_copy_(std::exchange(other.private_copy_, {})),
      cache_(std::move(other.cache_)) {}

Database& Database::operator=(Database&& other) noexcept {
    if (this != &other) {
        close();
        handle_ = std::exchange(other.handle_, nullptr);
        path_ = std::move(other.path_);
        private_copy_ = std::exchange(other.private_copy_, {});
        cache_ = std::move(other.cache_);
    }
    return *this;
}

Database::~Database() { close(); }

void Database::close() noexcept {
    cache_.reset();
    if (handle_ != nullptr) sqlite3_close_v2(std::exchange(handle_, nullptr));
    if (!private_copy_.empty()) {
        std::error_code ignored;  // a temporary directory that stays is no reason to fail
        std::filesystem::remove_all(std::exchange(private_copy_, {}), ignored);
    }
}

Database Database::open(const std::string& uri, const std::string& path, int flags, const char* vfs) {
    sqlite3* handle = nullptr;
    int code = sqlite3_open_v2(uri.c_str(), &handle, flags | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, vfs);
    Database database(handle, path);
    if (handle == nullptr) {
        throw DatabaseError(DatabaseError::Reason::failed, path, fmt::format("cannot open '{}': out of memory", path));
    }
    sqlite3_extended_result_codes(handle, 1);
    if (code != SQLITE_OK) database.raise(sqlite3_extended_errcode(handle));
    return database;
}

Database Database::create(const std::string& path) {
    Database database = open(sqlite_uri(path, ""), path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
    sqlite3_db_config(database.handle_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    return database;
}

Statement Database::prepare(std::string_view sql) {
    sqlite3_stmt* statement = cache_->take(sql);
    if (statement == nullptr) {
        int code = sqlite3_prepare_v3(handle_, sql.data(), static_cast<int>(sql.size()), SQLITE_PREPARE_PERSISTENT,
                                      &statement, nullptr);
        if (code != SQLITE_OK) raise(sqlite3_extended_errcode(handle_));
    }
    return Statement(*this, statement);
}

void Database::execute(std::string_view sql) {
    int code = sqlite3_exec(handle_, std::string(sql).c_str(), nullptr, nullptr, nullptr);
    if (code != SQLITE_OK) raise(sqlite3_extended_errcode(handle_));
}

std::int64_t Database::integer(std::string_view sql, std::int64_t otherwise) {
    Statement statement = prepare(sql);
    return statement.step() && !statement.is_null(0) ? statement.integer(0) : otherwise;
}

void Database::interrupt() noexcept {
    if (handle_ != nullptr) sqlite3_interrupt(handle_);
}

std::int64_t Database::total_changes() const noexcept { return sqlite3_total_changes64(handle_); }

bool Database::finish_as_plain_file(int patience_ms) {
    cache_->clear();
    // Everything is in the file after this; what follows only takes the log away. A reader in the middle of a query
    // may hold it up, so it is tried again below.
    sqlite3_wal_checkpoint_v2(handle_, nullptr, SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr);
    auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(patience_ms);
    while (true) {
        int code = sqlite3_exec(handle_, "PRAGMA journal_mode=DELETE", nullptr, nullptr, nullptr);
        if (code == SQLITE_OK) return true;
        if (code != SQLITE_BUSY && code != SQLITE_LOCKED) raise(sqlite3_extended_errcode(handle_));
        if (std::chrono::steady_clock::now() >= deadline) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
}

void Database::raise(int code) const {
    std::string text = handle_ ? sqlite3_errmsg(handle_) : sqlite3_errstr(code);
    using Reason = DatabaseError::Reason;
    int kind = code & 0xff;
    if (kind == SQLITE_IOERR) {
        const int system = handle_ ? sqlite3_system_errno(handle_) : 0;
        // Not every full disk is SQLITE_FULL: the log's index and a limit on file sizes are not.
        if (system == ENOSPC || system == EDQUOT || system == EFBIG || code == SQLITE_IOERR_SHMSIZE) kind = SQLITE_FULL;
        if (system != 0) text = std::strerror(system);
        if (code == SQLITE_IOERR_WRITE && kind != SQLITE_FULL) {
            kind = SQLITE_FULL;
            text += ", maybe a limit on the size of files (ulimit -f)";
        }
    }
    switch (kind) {
        case SQLITE_INTERRUPT:
            throw DatabaseError(Reason::interrupted, path_, fmt::format("reading '{}' was interrupted", path_), text);
        case SQLITE_CORRUPT:
        case SQLITE_NOTADB:
            throw DatabaseError(Reason::damaged, path_,
                                fmt::format("'{}' is damaged or incomplete: {}. Record it again, or copy it again from "
                                            "where it came from",
                                            path_, text),
                                text);
        case SQLITE_FULL:
            throw DatabaseError(
                Reason::disk_full, path_,
                fmt::format("no space left for '{}': {}. Free some space or record to another disk", path_, text),
                text);
        case SQLITE_CANTOPEN:
        case SQLITE_PERM:
        case SQLITE_AUTH:
        case SQLITE_READONLY:
            throw DatabaseError(Reason::cannot_open, path_,
                                fmt::format("cannot open '{}': {}. Check that the file and its folder exist and that "
                                            "you may read and write them",
                                            path_, text),
                                text);
        default:
            throw DatabaseError(Reason::failed, path_, fmt::format("'{}': {}", path_, text), text);
    }
}

Transaction::Transaction(Database& database) : database_(database) { database_.execute("BEGIN IMMEDIATE"); }

Transaction::~Transaction() {
    if (open_) sqlite3_exec(database_.handle_, "ROLLBACK", nullptr, nullptr, nullptr);
}

void Transaction::commit() {
    database_.execute("COMMIT");
    open_ = false;
}

}  // namespace fusescope
