// Bytes on their way to somebody who may not read: they wait here, and whoever writes does not.
#pragma once

#include <cstddef>
#include <string>

namespace fusescope::cli {

class Outbox {
 public:
    /// Writes what can be written at once to `descriptor`, which must not block. False when nobody reads any more.
    bool put(int descriptor, const std::string& bytes) {
        waiting_ += bytes;
        return flush(descriptor);
    }
    bool flush(int descriptor);
    std::size_t size() const noexcept { return waiting_.size() - written_; }
    bool empty() const noexcept { return size() == 0; }

 private:
    std::string waiting_;
    std::size_t written_ = 0;  ///< of its beginning
};

}  // namespace fusescope::cli
