// Jobs: keyed, stale results dropped, nothing waits.
#include "gui/app/jobs.hpp"

#include <gtest/gtest.h>

#include <QThread>
#include <atomic>
#include <stdexcept>

#include "tests/gui/gui_fixture.hpp"

namespace fusescope::gui {

using testing::waitFor;

TEST(Jobs, HandsTheResultToTheGuiThread) {
    Jobs jobs;
    QObject owner;
    int result = 0;
    QThread* thread = nullptr;
    jobs.run(
        &owner, "a", [](JobContext&) { return 42; },
        [&](int value) {
            result = value;
            thread = QThread::currentThread();
        });
    EXPECT_FALSE(jobs.isIdle());
    ASSERT_TRUE(waitFor([&] { return jobs.isIdle(); }));
    EXPECT_EQ(result, 42);
    EXPECT_EQ(thread, owner.thread());
}

TEST(Jobs, NewerJobWithTheSameKeyReplacesTheOlder) {
    Jobs jobs;
    QObject owner;
    std::atomic<bool> sawStale = false;
    QVector<int> results;
    jobs.run(
        &owner, "key",
        [&](JobContext& context) {
            for (int i = 0; i < 5000 && !context.stale(); ++i) {
                QThread::msleep(1);
            }
            sawStale = context.stale();
            return 1;
        },
        [&](int value) { results.push_back(value); });
    QThread::msleep(20);
    jobs.run(
        &owner, "key", [](JobContext&) { return 2; }, [&](int value) { results.push_back(value); });
    ASSERT_TRUE(waitFor([&] { return jobs.isIdle(); }));
    EXPECT_TRUE(sawStale);
    EXPECT_EQ(results, QVector<int>{2});
}

TEST(Jobs, DropsResultsForAnOwnerThatIsGone) {
    Jobs jobs;
    auto owner = std::make_unique<QObject>();
    bool called = false;
    jobs.run(
        owner.get(), "key",
        [](JobContext&) {
            QThread::msleep(30);
            return 1;
        },
        [&](int) { called = true; });
    owner.reset();
    ASSERT_TRUE(waitFor([&] { return jobs.isIdle(); }));
    EXPECT_FALSE(called);
}

TEST(Jobs, TellsWhatWentWrong) {
    Jobs jobs;
    QObject owner;
    QString message;
    jobs.run(
        &owner, "key", [](JobContext&) -> int { throw std::runtime_error("no such thing"); }, [](int) {},
        [&](const QString& error) { message = error; });
    ASSERT_TRUE(waitFor([&] { return jobs.isIdle(); }));
    EXPECT_EQ(message, "no such thing");
}

TEST(Jobs, AskingForTheProfileWithoutOneIsAnError) {
    Jobs jobs;
    QObject owner;
    QString message;
    jobs.run(
        &owner, "key", [](JobContext& context) { return context.database().path().size(); }, [](size_t) {},
        [&](const QString& error) { message = error; });
    ASSERT_TRUE(waitFor([&] { return jobs.isIdle(); }));
    EXPECT_EQ(message, "no profile is open");
}

TEST(Jobs, LayoutsNeverRunTwoAtATime) {
    Jobs jobs;
    QObject owner;
    std::atomic<int> running = 0, most = 0;
    int finished = 0;
    for (int i = 0; i < 8; ++i) {
        jobs.run(
            &owner, QString::number(i),
            [&](JobContext&) {
                most = std::max(most.load(), ++running);
                QThread::msleep(3);
                --running;
                return 0;
            },
            [&](int) { ++finished; }, {}, Jobs::Lane::Layout);
    }
    ASSERT_TRUE(waitFor([&] { return jobs.isIdle(); }));
    EXPECT_EQ(finished, 8);
    EXPECT_EQ(most, 1);
}

TEST(Jobs, EndsWhileJobsAreQueued) {
    QObject owner;
    std::atomic<int> done = 0;
    {
        Jobs jobs;
        for (int i = 0; i < 50; ++i) {
            jobs.run(
                &owner, QString::number(i),
                [](JobContext&) {
                    QThread::msleep(2);
                    return 0;
                },
                [&](int) { ++done; });
        }
    }
    EXPECT_EQ(done, 0);
}

}  // namespace fusescope::gui
