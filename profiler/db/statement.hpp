// A prepared statement on loan from its Database's cache: bind, step, read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "fusescope/event.hpp"

struct sqlite3_stmt;

namespace fusescope {

class Database;

/// Bytes to be bound as a BLOB; a null `data` binds NULL.
struct Blob {
    const void* data = nullptr;
    std::size_t size = 0;
};

/// The number of a row that something refers to; 0 means "none" and is bound as NULL.
struct RowId {
    std::uint64_t value = 0;
};

/// Goes back to the cache when destroyed; must not outlive the Database. Text and blobs that are bound must live until
/// the statement is reset or run again.
class Statement {
 public:
    Statement(Database& database, sqlite3_stmt* handle) noexcept : database_(&database), handle_(handle) {}
    Statement(Statement&& other) noexcept;
    Statement& operator=(Statement&& other) noexcept;
    ~Statement();

    /// Parameters and columns: parameters are numbered from 1, columns from 0, as in SQLite.
    void bind_null(int parameter);
    void bind(int parameter, double value);
    void bind(int parameter, std::string_view value);
    void bind(int parameter, const std::string& value) { bind(parameter, std::string_view(value)); }
    void bind(int parameter, const char* value) { bind(parameter, std::string_view(value)); }
    void bind(int parameter, Blob value);
    void bind(int parameter, RowId value);
    template <class T>
    requires std::is_integral_v<T>
    void bind(int parameter, T value) { bind_integer(parameter, static_cast<std::int64_t>(value)); }
    template <class T>
    requires std::is_enum_v<T>
    void bind(int parameter, T value) { bind(parameter, std::string_view(name_of(value))); }
    template <class T>
    void bind(int parameter, const std::optional<T>& value) {
        value ? bind(parameter, *value) : bind_null(parameter);
    }
    template <class... T>
    Statement& bind_all(const T&... values) {
        int parameter = 0;
        (bind(++parameter, values), ...);
        return *this;
    }

    bool step();   ///< true while there is a row; after the last the statement is reset
    void run();    ///< steps to the end and resets
    void reset();  ///< ready to step again; bindings are kept

    bool is_null(int column) const;
    std::int64_t integer(int column) const;
    double real(int column) const;
    std::string text(int column) const;             ///< empty when NULL
    std::string_view text_view(int column) const;   ///< valid until the next step
    std::vector<std::byte> blob(int column) const;  ///< empty when NULL

    /// Reads the columns of the current row in order: stmt.read(row.id, row.name).
    template <class... T>
    void read(T&... out) const {
        int column = 0;
        (get(column++, out), ...);
    }

 private:
    void bind_integer(int parameter, std::int64_t value);
    void check(int code) const;
    void give_back() noexcept;

    void get(int column, std::string& out) const { out = text(column); }
    void get(int column, double& out) const { out = real(column); }
    void get(int column, bool& out) const { out = integer(column) != 0; }
    void get(int column, Clock& out) const {
        out = text_view(column) == "modelled" ? Clock::modelled : Clock::measured;
    }
    void get(int column, std::vector<std::byte>& out) const { out = blob(column); }
    template <class T>
    requires std::is_integral_v<T>
    void get(int column, T& out) const { out = static_cast<T>(integer(column)); }
    template <class T>
    void get(int column, std::optional<T>& out) const {
        if (is_null(column)) {
            out.reset();
        } else {
            get(column, out.emplace());
        }
    }

    Database* database_;
    sqlite3_stmt* handle_;
};

}  // namespace fusescope
