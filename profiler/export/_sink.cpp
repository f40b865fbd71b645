#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "profiler/export/sink.hpp"

namespace fusescope {

namespace {

/// 0 or errno. Short writes go on; a descriptor that would block is waited for by the kernel in the usual case, and is
/// an error for us otherwise.
int write_all(int descriptor, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(descriptor, text.data(), text.size());
        if (written < 0) {
            if (errno == EINTR) continue;
            return errno;
        }
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    return 0;
}

}  // namespace

void DescriptorSink::put(std::string_view text) {
    if (const int error = write_all(descriptor_, text)) {
        throw WriteError("cannot write " + name_ + ": " + std::strerror(error), error);
    }
}

FileSink::FileSink(std::string path) : path_(std::move(path)), target_(path_) {
    struct stat status {};
    if (::stat(path_.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
        if (S_ISDIR(status.st_mode)) fail(EISDIR);
        descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
        if (descriptor_ < 0) fail(errno);
        return;
    }
    if (char* resolved = ::realpath(path_.c_str(), nullptr)) {
        target_ = resolved;
        std::free(resolved);
        if (::access(target_.c_str(), W_OK) != 0) fail(errno);  // rename would replace what chmod protects
    }
    temporary_ = target_ + ".XXXXXX";
    descriptor_ = ::mkostemp(temporary_.data(), O_CLOEXEC);
    if (descriptor_ < 0) {
        temporary_.clear();
        fail(errno);
    }
}

FileSink::~FileSink() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void FileSink::put(std::string_view text) {
    if (const int error = write_all(descriptor_, text)) fail(error);
}

void FileSink::commit() {
    flush();
    if (temporary_.empty()) return;
    struct stat status {};
    mode_t mode = 0666;
    if (::stat(target_.c_str(), &status) == 0) {
        mode = status.st_mode & 07777;
    } else {
        const mode_t mask = ::umask(0);
        ::umask(mask);
        mode &= ~mask;
    }
    if (::fchmod(descriptor_, mode) != 0 && errno != EPERM && errno != EOPNOTSUPP && errno != ENOTSUP) fail(errno);
    // A disk over the network may report that it is full only when the file is closed.
    const int closed = ::close(descriptor_);
    descriptor_ = -1;
    if (closed != 0) fail(errno);
    if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail(errno);
    temporary_.clear();
}

void FileSink::fail(int error) const {
    throw WriteError("cannot write '" + path_ + "': " + std::strerror(error), error);
}

}  // namespace fusescope
