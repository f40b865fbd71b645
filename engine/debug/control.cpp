#include "engine/debug/control.hpp"

namespace fusescope::debug {

Resume Control::stop(const Stop& stop) {
    const Resume how = serve([&] { listener_.stopped(stop); });
    if (how != Resume::ended) listener_.resumed();
    return how;
}

Resume Control::wait_for_start(const std::function<void()>& ready) { return serve(ready); }

Resume Control::serve(const std::function<void()>& announce) {
    {
        const std::scoped_lock lock(mutex_);
        if (gone_) return Resume::ended;
        stopped_ = true;
        resumed_ = false;
    }
    announce();
    std::unique_lock lock(mutex_);
    for (;;) {
        wake_.wait(lock, [&] { return task_ || resumed_ || gone_; });
        if (task_) {
            const std::function<void()>* task = task_;
            lock.unlock();
            answering_.store(true, std::memory_order_relaxed);
            (*task)();
            answering_.store(false, std::memory_order_relaxed);
            lock.lock();
            task_ = nullptr;
            done_.notify_all();
            continue;
        }
        stopped_ = false;
        if (gone_) return Resume::ended;
        break;
    }
    return how_;
}

bool Control::call(const std::function<void()>& task) {
    std::unique_lock lock(mutex_);
    // One at a time: a second caller waits for the first one's end.
    done_.wait(lock, [&] { return !task_ || !stopped_ || gone_; });
    if (!stopped_ || resumed_ || gone_) return false;
    task_ = &task;
    wake_.notify_all();
    done_.wait(lock, [&] { return task_ != &task; });
    return true;
}

bool Control::resume(Resume how) {
    const std::scoped_lock lock(mutex_);
    if (!stopped_ || resumed_) return false;
    how_ = how;
    resumed_ = true;
    wake_.notify_all();
    return true;
}

bool Control::is_stopped() const {
    const std::scoped_lock lock(mutex_);
    return stopped_ && !resumed_;
}

bool Control::is_gone() const {
    const std::scoped_lock lock(mutex_);
    return gone_;
}

void Control::let_go() {
    const std::scoped_lock lock(mutex_);
    gone_ = true;
    wake_.notify_all();
    done_.notify_all();
}

}  // namespace fusescope::debug
