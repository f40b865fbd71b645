// A file system of few bytes, for tests of full disks; also for users who may not mount.
#pragma once

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include <string>

namespace fusescope::testing {

namespace detail {

inline bool write_file(const char* path, const std::string& text) {
    const int file = ::open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0) return false;
    const bool written = ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    ::close(file);
    return written;
}

/// This process becomes root of name spaces of its own, where it may mount. Only while it has one thread.
inline bool become_root_of_own_namespace() {
    const std::string user = std::to_string(::geteuid()), group = std::to_string(::getegid());
    if (::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return false;
    return write_file("/proc/self/setgroups", "deny") && write_file("/proc/self/uid_map", "0 " + user + " 1") &&
           write_file("/proc/self/gid_map", "0 " + group + " 1");
}

}  // namespace detail

/// Mounts a tmpfs with `options` ("size=64k") at an existing folder. False where the system allows it in neither way.
inline bool mount_small_disk(const std::string& folder, const std::string& options) {
    const auto mounted = [&] { return ::mount("tmpfs", folder.c_str(), "tmpfs", 0, options.c_str()) == 0; };
    return mounted() || (detail::become_root_of_own_namespace() && mounted());
}

}  // namespace fusescope::testing
