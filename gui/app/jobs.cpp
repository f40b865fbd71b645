// The worker threads behind Jobs: a small pool for queries and one thread for graph layout.
#include "gui/app/jobs.hpp"

#include <algorithm>
#include <stdexcept>

#include "profiler/db/database.hpp"

namespace fusescope::gui {

namespace {

constexpr int kQueryWorkers = 2;

}  // namespace

struct Jobs::Job {
    QPointer<QObject> owner;
    Key key;
    Lane lane = Lane::Query;
    std::function<std::any(JobContext&)> work;
    std::function<void(std::any&)> done;
    std::function<void(QString)> failed;
    std::atomic<bool> stale = false;
    std::any result;
    QString error;
    bool threw = false;
};

struct Jobs::Worker {
    Lane lane = Lane::Query;
    int generation = -1;                 // of the connection below
    std::unique_ptr<Database> database;  // this thread's own; others only call interrupt(), under mutex_
    std::shared_ptr<Job> running;        // guarded by mutex_
    std::thread thread;
};

Database& JobContext::database() const {
    if (!database_) {
        throw std::runtime_error("no profile is open");
    }
    return *database_;
}

Jobs::Jobs(QObject* parent) : QObject(parent) {
    for (int i = 0; i < kQueryWorkers + 1; ++i) {
        workers_.push_back(std::make_unique<Worker>());
        workers_.back()->lane = i < kQueryWorkers ? Lane::Query : Lane::Layout;
    }
    for (auto& worker : workers_) {
        worker->thread = std::thread([this, &worker = *worker] { serve(worker); });
    }
}

Jobs::~Jobs() {
    for (const auto& job : std::as_const(latest_)) {
        drop(*job);
    }
    {
        std::lock_guard lock(mutex_);
        stopping_ = true;
        for (auto& queue : queues_) {
            queue.clear();
        }
    }
    wake_.notify_all();
    for (auto& worker : workers_) {
        worker->thread.join();
    }
}

void Jobs::setProfile(const QString& path, bool live) {
    for (const auto& job : std::as_const(latest_)) {
        drop(*job);
    }
    latest_.clear();
    std::lock_guard lock(mutex_);
    path_ = path;
    live_ = live;
    ++generation_;
    wake_.notify_all();
}

void Jobs::setLive(bool live) {
    std::lock_guard lock(mutex_);
    live_ = live;
    ++generation_;
    wake_.notify_all();
}

void Jobs::cancel(QObject* owner, const QString& key) {
    if (const auto job = latest_.take({reinterpret_cast<quintptr>(owner), key})) {
        drop(*job);
    }
}

void Jobs::drop(Job& job) {
    job.stale.store(true, std::memory_order_relaxed);
    std::lock_guard lock(mutex_);
    for (auto& worker : workers_) {
        if (worker->running.get() == &job && worker->database) {
            worker->database->interrupt();
        }
    }
}

void Jobs::enqueue(QObject* owner, const QString& key, Lane lane, std::function<std::any(JobContext&)> work,
                   std::function<void(std::any&)> done, std::function<void(QString)> failed) {
    cancel(owner, key);
    auto job = std::make_shared<Job>();
    job->owner = owner;
    job->key = {reinterpret_cast<quintptr>(owner), key};
    job->lane = lane;
    job->work = std::move(work);
    job->done = std::move(done);
    job->failed = std::move(failed);
    latest_.insert(job->key, job);
    if (pending_++ == 0) {
        emit busy();
    }
    {
        std::lock_guard lock(mutex_);
        queues_[static_cast<int>(lane)].push_back(job);
    }
    wake_.notify_all();
}

void Jobs::serve(Worker& worker) {
    auto& queue = queues_[static_cast<int>(worker.lane)];
    std::unique_lock lock(mutex_);
    while (!stopping_) {
        if (queue.empty()) {
            if (worker.database && (live_ || worker.generation != generation_)) {
                auto closing = std::move(worker.database);
                lock.unlock();
                closing.reset();
                lock.lock();
                continue;
            }
            wake_.wait(lock);
            continue;
        }
        auto job = queue.front();
        queue.pop_front();
        worker.running = job;
        const bool reopen = worker.lane == Lane::Query && (!worker.database || worker.generation != generation_);
        const int generation = generation_;
        const std::string path = path_.toStdString();
        lock.unlock();
        try {
            if (reopen && !job->stale) {
                auto opened = path.empty() ? nullptr : std::make_unique<Database>(Database::open_readonly(path));
                std::lock_guard relock(mutex_);
                worker.database.swap(opened);
                worker.generation = generation;
            }
            if (!job->stale) {
                JobContext context(worker.database.get(), job->stale);
                job->result = job->work(context);
            }
        } catch (const std::exception& error) {
            job->threw = true;
            job->error = QString::fromUtf8(error.what());
        }
        job->work = nullptr;
        lock.lock();
        worker.running.reset();
        if (stopping_) {
            return;
        }
        lock.unlock();
        QMetaObject::invokeMethod(
            this, [this, job] { deliver(job); }, Qt::QueuedConnection);
        job.reset();
        lock.lock();
    }
}

void Jobs::deliver(const std::shared_ptr<Job>& job) {
    if (const auto found = latest_.constFind(job->key); found != latest_.constEnd() && found.value() == job) {
        latest_.erase(found);
    }
    if (!job->stale && job->owner) {
        if (!job->threw) {
            job->done(job->result);
        } else if (job->failed) {
            job->failed(job->error);
        } else {
            emit failed(job->error);
        }
    }
    if (--pending_ == 0) {
        emit idle();
    }
}

}  // namespace fusescope::gui
