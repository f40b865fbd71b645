// Turning a file path into an SQLite URI.
#include "profiler/db/uri.hpp"

namespace fusescope {

std::string sqlite_uri(std::string_view path, std::string_view query) {
    std::string uri = "file:";
    // "//host" would be read as an authority, so a path that begins with two slashes loses one (the same file).
    while (path.size() > 1 && path[0] == '/' && path[1] == '/') path.remove_prefix(1);
    constexpr char hex[] = "0123456789ABCDEF";
    for (char c : path) {
        auto byte = static_cast<unsigned char>(c);
        bool plain = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') ||
                     byte == '/' || byte == '.' || byte == '-' || byte == '_' || byte == '~';
        if (plain) {
            uri += c;
        } else {
            uri += '%';
            uri += hex[byte >> 4];
            uri += hex[byte & 15];
        }
    }
    if (!query.empty()) {
        uri += '?';
        uri += query;
    }
    return uri;
}

}  // namespace fusescope
