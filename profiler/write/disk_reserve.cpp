#include "profiler/write/disk_reserve.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>
#include <utility>

namespace fusescope {

DiskReserve::DiskReserve(const std::string& path, std::size_t bytes) {
    std::error_code error;
    const std::string folder = std::filesystem::absolute(path, error).parent_path().string();
    descriptor_ = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
    if (descriptor_ >= 0 && ::posix_fallocate(descriptor_, 0, static_cast<off_t>(bytes)) != 0) release();
}

void DiskReserve::release() noexcept {
    if (const int descriptor = std::exchange(descriptor_, -1); descriptor >= 0) ::close(descriptor);
}

}  // namespace fusescope
