// Ending what a debugger's question runs of the program's code from another thread: an endless loop, input(), a sleep.
#pragma once

#include <pthread.h>

#include <mutex>
#include <string>

namespace fusescope::python {

/// A signal of our own interrupts the system calls of the program's thread; its Python handler raises there, in code
/// that a question runs, and does nothing elsewhere.
class Interruption {
 public:
    ~Interruption();

    // The program's thread.

    /// From here on there is a handler. With the GIL.
    void attach();
    void begin();
    /// Why it was interrupted; empty: it was not.
    std::string end();
    /// The handler: sets a Python error when a question is to end.
    bool raise_if_wanted();

    /// Any thread. Nothing happens outside of begin() and end(). May be asked again when the code has caught the error.
    void request(const std::string& why);

 private:
    std::mutex mutex_;
    pthread_t thread_{};
    bool attached_ = false, asking_ = false;
    std::string why_;
};

}  // namespace fusescope::python
