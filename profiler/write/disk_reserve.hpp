// Space set aside on the disk of a profile, so that a recording that fills the disk can still write how it ended.
#pragma once

#include <cstddef>
#include <string>

namespace fusescope {

class DiskReserve {
 public:
    /// In the folder of `path`, as a file without a name: whatever ends the process, nothing is left of it. Where the
    /// file system has no such files, or no space, there is no reserve.
    DiskReserve(const std::string& path, std::size_t bytes);
    ~DiskReserve() { release(); }
    DiskReserve(const DiskReserve&) = delete;
    DiskReserve& operator=(const DiskReserve&) = delete;

    void release() noexcept;

 private:
    int descriptor_ = -1;
};

}  // namespace fusescope
