// A prepared statement on loan from its Database's cache.
#include "profiler/db/statement.hpp"

#include <sqlite3.h>

#include <utility>

#include "profiler/db/cache.hpp"
#include "profiler/db/database.hpp"

namespace fusescope {

Statement::Statement(Statement&& other) noexcept
    : database_(other.database_), handle_(std::exchange(other.handle_, nullptr)) {}

Statement& Statement::operator=(Statement&& other) noexcept {
    if (this != &other) {
        give_back();
        database_ = other.database_;
        handle_ = std::exchange(other.handle_, nullptr);
    }
    return *this;
}

Statement::~Statement() { give_back(); }

void Statement::give_back() noexcept {
    if (handle_ == nullptr) return;
    sqlite3_reset(handle_);
    sqlite3_clear_bindings(handle_);
    database_->cache_->put(handle_);
    handle_ = nullptr;
}

void Statement::check(int code) const {
    if (code != SQLITE_OK) database_->raise(code);
}

void Statement::bind_null(int parameter) { check(sqlite3_bind_null(handle_, parameter)); }
void Statement::bind(int parameter, double value) { check(sqlite3_bind_double(handle_, parameter, value)); }
void Statement::bind_integer(int parameter, std::int64_t value) {
    check(sqlite3_bind_int64(handle_, parameter, value));
}
void Statement::bind(int parameter, std::string_view value) {
    const char* data = value.data() ? value.data() : "";  // a null pointer would bind NULL
    check(sqlite3_bind_text64(handle_, parameter, data, value.size(), SQLITE_STATIC, SQLITE_UTF8));
}
void Statement::bind(int parameter, Blob value) {
    check(sqlite3_bind_blob64(handle_, parameter, value.data, value.size, SQLITE_STATIC));
}
void Statement::bind(int parameter, RowId value) {
    value.value == 0 ? bind_null(parameter) : bind_integer(parameter, static_cast<std::int64_t>(value.value));
}

bool Statement::step() {
    int code = sqlite3_step(handle_);
    if (code == SQLITE_ROW) return true;
    if (code != SQLITE_DONE) {
        code = sqlite3_extended_errcode(sqlite3_db_handle(handle_));
        // The message belongs to the connection, so it is taken before the reset clears it.
        try {
            database_->raise(code);
        } catch (...) {
            sqlite3_reset(handle_);
            throw;
        }
    }
    sqlite3_reset(handle_);
    return false;
}

void Statement::run() {
    while (step()) {
    }
}

void Statement::reset() { sqlite3_reset(handle_); }

bool Statement::is_null(int column) const { return sqlite3_column_type(handle_, column) == SQLITE_NULL; }
std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(handle_, column); }
double Statement::real(int column) const { return sqlite3_column_double(handle_, column); }

std::string_view Statement::text_view(int column) const {
    auto data = reinterpret_cast<const char*>(sqlite3_column_text(handle_, column));
    return data ? std::string_view(data, static_cast<std::size_t>(sqlite3_column_bytes(handle_, column)))
                : std::string_view();
}

std::string Statement::text(int column) const { return std::string(text_view(column)); }

std::vector<std::byte> Statement::blob(int column) const {
    auto data = static_cast<const std::byte*>(sqlite3_column_blob(handle_, column));
    return data ? std::vector<std::byte>(data, data + sqlite3_column_bytes(handle_, column)) : std::vector<std::byte>();
}

}  // namespace fusescope
