// The one exception of the profile library.
#pragma once

#include <stdexcept>
#include <string>

namespace fusescope {

/// A profile could not be opened, read or written. what() is a whole sentence for the user: the file, what is wrong,
/// and what to do.
class DatabaseError : public std::runtime_error {
 public:
    enum class Reason {
        cannot_open,    ///< missing, a directory, no permission
        not_a_profile,  ///< another kind of file or of database
        newer,          ///< written by a newer version
        damaged,        ///< truncated or overwritten
        disk_full,
        interrupted,  ///< Database::interrupt was called
        failed,       ///< any other error of the database engine
    };

    DatabaseError(Reason reason, std::string path, const std::string& message, std::string sqlite_text = {})
        : std::runtime_error(message), reason_(reason), path_(std::move(path)), sqlite_text_(std::move(sqlite_text)) {}

    Reason reason() const noexcept { return reason_; }
    const std::string& path() const noexcept { return path_; }
    const std::string& sqlite_text() const noexcept { return sqlite_text_; }  ///< SQLite's own words; may be empty

 private:
    Reason reason_;
    std::string path_;
    std::string sqlite_text_;
};

}  // namespace fusescope
