// Waits for quiet, then grabs.
#include "gui/app/screenshot.hpp"

#include <QComboBox>
#include <QCoreApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QFileInfo>
#include <QPixmap>
#include <QThread>
#include <cstdio>

#include "gui/app/finder.hpp"
#include "gui/app/main_window.hpp"
#include "gui/app/panel_docks.hpp"
#include "gui/debug/debug_session.hpp"
#include "gui/graph/graph_view.hpp"
#include "gui/models/place.hpp"
#include "gui/widgets/run_bar.hpp"

namespace fusescope::gui {

namespace {

constexpr int kPatienceMs = 60000;
constexpr int kQuietMs = 150;

// True once no job has been pending for a while.
bool settle(MainWindow& window) {
    QElapsedTimer total, quiet;
    total.start();
    quiet.start();
    while (total.elapsed() < kPatienceMs) {
        QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
        if (!window.isSettled()) {
            quiet.restart();
        } else if (quiet.elapsed() > kQuietMs) {
            return true;
        }
        QThread::msleep(2);
    }
    return false;
}

// Runs the script that is on offer to a line; false when it ends before.
bool debugTo(MainWindow& window, const QString& script, int line) {
    DebugSession& debug = window.session().debug();
    debug.breakpoints().removeAll();
    debug.breakpoints().toggleLine(QFileInfo(script).absoluteFilePath(), line);
    window.runBar().startDebugging();
    QElapsedTimer total;
    total.start();
    while (debug.locals().isEmpty() && total.elapsed() < kPatienceMs) {
        if (!debug.isActive()) {
            return false;
        }
        QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
        QThread::msleep(2);
    }
    return settle(window) && !debug.locals().isEmpty();
}

int complain(int status, const QString& what) {
    std::fprintf(stderr, "fusescope-gui: %s\n", qPrintable(what));
    return status;
}

// The node of that name in one of the two graphs, the later one first.
qint64 findNode(MainWindow& window, const QString& name) {
    for (const char* view : {"graphAfter", "graphBefore"}) {
        const auto* graph = window.findChild<GraphView*>(QString::fromLatin1(view));
        const GraphData* data = graph ? const_cast<GraphView*>(graph)->graph().data() : nullptr;
        for (qsizetype i = 0; data && i < data->nodes.size(); ++i) {
            if (data->nodes[i].name == name) {
                return data->nodes[i].id;
            }
        }
    }
    return 0;
}

}  // namespace

int takeScreenshot(MainWindow& window, const Options& options) {
    window.resize(options.size);
    window.show();
    QString failure;
    QObject::connect(&window.session(), &Session::openFailed, &window,
                     [&failure](const QString&, const QString& reason) { failure = reason; });
    if (!options.files.isEmpty()) {
        if (const QString path = linkOf(options.files.front()).profile; !QFileInfo::exists(path)) {
            return complain(4, QStringLiteral("%1 does not exist").arg(path));
        }
        window.openPath(options.files.front());
    }
    if (!settle(window)) {
        return complain(4, QStringLiteral("the window did not come to rest within a minute"));
    }
    if (!failure.isEmpty()) {
        return complain(4, failure);
    }
    if (options.breakLine > 0 && !debugTo(window, options.files.value(0), options.breakLine)) {
        return complain(2, QStringLiteral("--break: the program does not come to line %1").arg(options.breakLine));
    }
    if (!options.panel.isEmpty() && !window.panels().raise(options.panel)) {
        return complain(2, QStringLiteral("--panel: there is no panel \"%1\"").arg(options.panel));
    }
    settle(window);
    const auto choose = [&window](const char* box, int index) {
        if (auto* combo = window.findChild<QComboBox*>(QString::fromLatin1(box)); combo && index >= 0) {
            combo->setCurrentIndex(index);
        }
    };
    choose("graphMode", options.merged ? 1 : -1);
    choose("textMode", options.merged ? 1 : -1);
    choose("graphColoring", options.coloring);
    settle(window);
    if (options.expandAll) {
        for (GraphView* view : window.findChildren<GraphView*>()) {
            QStringList keys;
            for (const auto& box : view->graph().visible().boxes) {
                if (box.expandable && !box.expanded && box.node != 0) {
                    keys << box.key;
                }
            }
            for (const QString& key : keys) {
                emit view->boxToggled(key);
            }
        }
        settle(window);
        for (GraphView* view : window.findChildren<GraphView*>()) {
            view->fit();
        }
    }
    if (!options.selectNode.isEmpty()) {
        const qint64 node = findNode(window, options.selectNode);
        if (node == 0) {
            return complain(2, QStringLiteral("--select: no node \"%1\" in the graphs shown").arg(options.selectNode));
        }
        window.session().select(Selection::node(node));
    }
    if (!options.find.isEmpty()) {
        window.finder().openSearch();
        window.finder().chooser().open(options.find);
    }
    settle(window);
    const QPixmap picture = window.grab();
    return picture.save(options.screenshot, "PNG")
               ? 0
               : complain(4, QStringLiteral("%1 cannot be written").arg(options.screenshot));
}

}  // namespace fusescope::gui
