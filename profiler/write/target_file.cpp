// Making room for a new profile.
#include "profiler/write/target_file.hpp"

#include <fmt/core.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "profiler/db/database.hpp"
#include "profiler/query/runs.hpp"
#include "profiler/schema/schema.hpp"

namespace fusescope {

namespace {

/// A run that goes on has its log beside the file; one that was killed may have left it there.
bool being_recorded(const std::string& path) {
    std::error_code error;
    if (!std::filesystem::exists(path + "-wal", error)) return false;
    try {
        Database database = Database::open_readonly(path);
        return query::still_recording(database);
    } catch (const DatabaseError&) {
        return false;  // damaged: nobody is using it any more
    }
}

}  // namespace

std::string remove_profile_files(const std::string& path) {
    std::error_code error;
    for (const char* suffix : {"", "-wal", "-shm", "-journal"}) {
        std::filesystem::remove(path + suffix, error);
        if (error) return error.message();
    }
    return {};
}

void clear_target_file(const std::string& path) {
    namespace fs = std::filesystem;
    auto refuse = [&](const std::string& why) {
        throw DatabaseError(DatabaseError::Reason::cannot_open, path,
                            fmt::format("cannot record to '{}': {}", path, why));
    };
    if (path.empty()) refuse("the name is empty. Give a file name that ends in .fscope");
    std::error_code error;
    fs::file_status status = fs::status(path, error);
    if (fs::is_directory(status)) refuse("it is a folder. Give the name of a file in it");
    if (fs::exists(status)) {
        if (!fs::is_regular_file(status)) refuse("it is not a regular file");
        // Bytes 68 to 71 of an SQLite file are the application id.
        char header[72] = {};
        std::ifstream stream(path, std::ios::binary);
        if (!stream) refuse("you may not read it");
        stream.read(header, sizeof header);
        constexpr char id[4] = {char(kApplicationId >> 24), char(kApplicationId >> 16 & 0xff),
                                char(kApplicationId >> 8 & 0xff), char(kApplicationId & 0xff)};
        bool profile = stream.gcount() == sizeof header && std::memcmp(header, "SQLite format 3", 16) == 0 &&
                       std::memcmp(header + 68, id, 4) == 0;
        if (!profile && fs::file_size(path, error) > 0) {
            refuse("a file of that name is there and is no profile. Remove it or choose another name");
        }
    }
    if (being_recorded(path)) {
        refuse("another run is being recorded to it. Choose another name, or wait for that run to end");
    }
    if (const std::string why = remove_profile_files(path); !why.empty()) {
        refuse(fmt::format("the old file cannot be removed: {}", why));
    }
    fs::path folder = fs::absolute(path, error).parent_path();
    if (!fs::is_directory(folder, error)) {
        refuse(fmt::format("there is no folder '{}'. Make it first", folder.string()));
    }
}

}  // namespace fusescope
