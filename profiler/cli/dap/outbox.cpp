#include "profiler/cli/dap/outbox.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

namespace fusescope::cli {

bool Outbox::flush(int descriptor) {
    while (!empty()) {
        const ssize_t n = ::write(descriptor, waiting_.data() + written_, size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0 && errno == EAGAIN) break;
        if (n < 0) {
            waiting_.clear();
            written_ = 0;
            return false;
        }
        written_ += static_cast<std::size_t>(n);
    }
    if (written_ > waiting_.size() / 2) {
        waiting_.erase(0, written_);
        written_ = 0;
    }
    return true;
}

}  // namespace fusescope::cli
