// Work off the GUI thread. Every job has an owner and a key: a newer job with the same key takes the place of the
// older one, whose result is dropped; results for an owner that is gone are dropped too. The GUI thread never waits.
#pragma once

#include <QHash>
#include <QObject>
#include <QPointer>
#include <QString>
#include <any>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace fusescope {
class Database;
}

namespace fusescope::gui {

/// What a job sees while it runs on its worker thread.
class JobContext {
 public:
    JobContext(Database* database, const std::atomic<bool>& stale) : database_(database), stale_(stale) {}

    /// This thread's own connection to the open profile. Throws std::runtime_error when none is open.
    Database& database() const;
    /// True once nobody wants the result any more; long work should look now and then and return early.
    bool stale() const noexcept { return stale_.load(std::memory_order_relaxed); }

 private:
    Database* database_;
    const std::atomic<bool>& stale_;
};

class Jobs : public QObject {
    Q_OBJECT

 public:
    /// Queries run on a pool. Graphviz keeps global state, so that layouts have a thread of their own.
    enum class Lane { Query, Layout };

    explicit Jobs(QObject* parent = nullptr);
    ~Jobs() override;

    /// Which file workers read from now on; an empty path closes the connections they have. Jobs that were asked for
    /// before are stale. `live`: the file is still being written, so connections are not kept between jobs (the writer
    /// can leave one plain file only when nobody holds it).
    void setProfile(const QString& path, bool live);
    /// The recording has ended: connections may be kept.
    void setLive(bool live);

    /// Runs `work(JobContext&)` on a worker, then `done(result)` on the GUI thread. When work throws, `failed(message)`
    /// is called instead, or the signal of that name is sent when there is none.
    template <typename Work, typename Done>
    void run(QObject* owner, const QString& key, Work work, Done done, std::function<void(QString)> failed = {},
             Lane lane = Lane::Query) {
        using Result = std::invoke_result_t<Work, JobContext&>;
        enqueue(
            owner, key, lane,
            [work = std::move(work)](JobContext& context) mutable -> std::any {
                return std::make_shared<Result>(work(context));
            },
            [done = std::move(done)](std::any& result) mutable {
                done(std::move(*std::any_cast<std::shared_ptr<Result>&>(result)));
            },
            std::move(failed));
    }

    /// Makes the job of that key stale, if there is one.
    void cancel(QObject* owner, const QString& key);
    /// No job is queued or running and every result has been handed over.
    bool isIdle() const { return pending_ == 0; }

 signals:
    void idle();
    void busy();
    void failed(const QString& message);

 private:
    struct Job;
    struct Worker;
    using Key = std::pair<quintptr, QString>;

    void enqueue(QObject* owner, const QString& key, Lane lane, std::function<std::any(JobContext&)> work,
                 std::function<void(std::any&)> done, std::function<void(QString)> failed);
    void serve(Worker& worker);
    void deliver(const std::shared_ptr<Job>& job);
    void drop(Job& job);

    std::mutex mutex_;
    std::condition_variable wake_;
    std::deque<std::shared_ptr<Job>> queues_[2];
    std::vector<std::unique_ptr<Worker>> workers_;
    QString path_;
    bool live_ = false;
    int generation_ = 0;
    bool stopping_ = false;
    QHash<Key, std::shared_ptr<Job>> latest_;  ///< GUI thread only
    int pending_ = 0;                          ///< GUI thread only
};

}  // namespace fusescope::gui
