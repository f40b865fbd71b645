// How the timeline and the charts cope with a very large profile, offscreen: time to a usable and to a complete
// picture, time of a frame while zooming and panning over all scales, time until each chart is drawn and the longest
// that the window stood still meanwhile, peak memory.
//
//   QT_QPA_PLATFORM=offscreen timeline_bench [EVENTS, 5000000 by default] [PROFILE to use instead of making one]
//
// With options of Google Benchmark, as packaging/check gives them to all, it runs briefly: on 50 000 events.
#include <QApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QThread>
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <vector>

#include "gui/app/main_window.hpp"
#include "gui/app/panel_docks.hpp"
#include "gui/timeline/timeline_view.hpp"
#include "tests/gui/large_profile.hpp"

namespace {

long peakKilobytes() {
    QFile status(QStringLiteral("/proc/self/status"));
    if (!status.open(QIODevice::ReadOnly)) {
        return 0;
    }
    for (const QByteArray& line : status.readAll().split('\n')) {
        if (line.startsWith("VmHWM:")) {
            return line.mid(6).trimmed().split(' ').front().toLong();
        }
    }
    return 0;
}

template <typename Condition>
double waitMs(QElapsedTimer& timer, Condition condition) {
    while (!condition() && timer.elapsed() < 120'000) {
        QCoreApplication::processEvents(QEventLoop::AllEvents, 5);
    }
    return static_cast<double>(timer.nsecsElapsed()) / 1e6;
}

// Of this thread: what a frame costs, whatever else the machine does.
double cpuMs() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

void report(const char* what, std::vector<double> ms) {
    std::sort(ms.begin(), ms.end());
    const auto at = [&ms](double share) { return ms[static_cast<size_t>(share * static_cast<double>(ms.size() - 1))]; };
    std::printf("%-34s p50 %6.2f ms   p99 %6.2f ms   worst %6.2f ms   (%zu frames)\n", what, at(0.5), at(0.99),
                ms.back(), ms.size());
}

}  // namespace

int main(int argc, char** argv) {
    using namespace fusescope;
    QApplication application(argc, argv);
    QCoreApplication::setOrganizationName(QStringLiteral("fusescope"));
    QCoreApplication::setApplicationName(QStringLiteral("fusescope-benchmark"));
    QStringList given = QCoreApplication::arguments().mid(1);
    const bool brief =
        given.removeIf([](const QString& word) { return word.startsWith(QLatin1String("--benchmark")); }) > 0;
    QTemporaryDir folder;
    const QString path = given.size() > 1 ? given[1] : folder.filePath(QStringLiteral("large.fscope"));
    if (given.size() <= 1) {
        testing::LargeProfile size;
        size.events = !given.isEmpty() ? given[0].toLongLong() : brief ? 50'000 : 5'000'000;
        size.transfers = size.events / 100;
        testing::write_large_profile(path.toStdString(), size);
    }
    gui::MainWindow window;
    window.resize(2560, 1440);
    window.show();
    window.panels().raise(QStringLiteral("timeline"));
    QCoreApplication::processEvents();
    std::printf("%-34s %ld MB\n", "memory before opening", peakKilobytes() / 1024);

    auto* view = window.findChild<gui::TimelineView*>(QStringLiteral("timelineView"));
    QElapsedTimer timer;
    timer.start();
    window.openPath(path);
    std::printf("%-34s %.0f ms\n", "usable timeline",
                waitMs(timer, [&] { return view->data() && view->lastPaintNs() > 0; }));
    std::printf("%-34s %.0f ms\n", "all slices", waitMs(timer, [&] { return view->data() && !view->data()->sampled; }));
    waitMs(timer, [&] { return window.isSettled(); });
    if (!view->data()) {
        std::fprintf(stderr, "there is no timeline of %s\n", qPrintable(path));
        return 1;
    }
    std::printf("%-34s %lld\n", "slices", static_cast<long long>(view->data()->sliceCount()));

    for (const QSize size : {QSize(1280, 400), QSize(2560, 1000)}) {
        // Alone, so that the frames are the timeline's and nothing else's.
        gui::TimelineView alone;
        alone.resize(size);
        alone.setData(std::make_shared<gui::TimelineData>(*view->data()));
        alone.show();
        QCoreApplication::processEvents();
        std::vector<double> zooms, pans, processor;
        const auto frame = [&](std::vector<double>& times) {
            const double before = cpuMs();
            QElapsedTimer wall;
            wall.start();
            alone.viewport()->repaint();
            times.push_back(static_cast<double>(wall.nsecsElapsed()) / 1e6);
            processor.push_back(cpuMs() - before);
        };
        for (int round = 0; round < 2; ++round) {
            for (int i = 0; i < 140; ++i) {
                alone.zoom(i < 70 ? 1.22 : 1 / 1.22, 300 + (i * 37) % (size.width() - 400));
                frame(zooms);
                for (int step = 0; step < 2; ++step) {
                    alone.pan(step == 0 ? 90 : -70);
                    frame(pans);
                }
            }
        }
        report(qPrintable(QStringLiteral("zoom at %1 x %2").arg(size.width()).arg(size.height())), zooms);
        report(qPrintable(QStringLiteral("pan at %1 x %2").arg(size.width()).arg(size.height())), pans);
        report("   processor time of all of them", processor);
    }
    for (const char* panel : {"ops", "op_chart", "flame", "roofline", "transfers", "memory"}) {
        QElapsedTimer drawing, turn;
        drawing.start();
        double longest = 0;
        window.panels().raise(QString::fromLatin1(panel));
        qint64 quiet = 0;
        while (quiet < 50 && drawing.elapsed() < 120'000) {
            turn.start();
            QCoreApplication::processEvents(QEventLoop::AllEvents, 5);
            longest = std::max(longest, static_cast<double>(turn.nsecsElapsed()) / 1e6);
            QThread::msleep(1);
            quiet = window.isSettled() ? quiet + 1 : 0;
        }
        std::printf("panel %-28s %.0f ms, window still for %.0f ms at most\n", panel,
                    static_cast<double>(drawing.elapsed()), longest);
    }
    std::printf("%-34s %ld MB\n", "peak memory", peakKilobytes() / 1024);
    return 0;
}
