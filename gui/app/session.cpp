// Opening, refreshing and selecting. All reading happens in jobs.
#include "gui/app/session.hpp"

#include "gui/app/bookmarks.hpp"
#include "gui/app/check_run.hpp"
#include "gui/debug/debug_session.hpp"
#include "gui/models/place.hpp"
#include "profiler/query/graphs.hpp"
#include "profiler/query/op_events.hpp"
#include "profiler/query/op_times.hpp"
#include "profiler/query/runs.hpp"

namespace fusescope::gui {

namespace {

constexpr int kHistoryLimit = 200;
constexpr std::int64_t kRelatedEvents = 4000;
constexpr std::int64_t kEventsAskedForKinds = 100;
constexpr int kRelatedGraphs = 8;  // nodes are asked for in the first few only

// `zero` is kept once it is known: while a profile grows, asking for it reads the whole of the long tables.
ProfileSummary summarize(Database& database, qint64 zero) {
    ProfileSummary summary;
    const auto runs = query::runs(database);
    if (!runs.empty()) {
        const auto& run = runs.front();
        summary.script = QString::fromStdString(run.script);
        summary.mode = QString::fromStdString(run.mode);
        summary.device = QString::fromStdString(run.device);
        summary.status = QString::fromStdString(run.status);
    }
    summary.zeroNs = zero != 0 ? zero : query::first_moment(database);
    const auto counts = query::counts(database);
    summary.opEvents = counts.op_events;
    summary.transfers = counts.transfers;
    summary.graphs = counts.graphs;
    summary.findings = counts.findings;
    summary.outputs = counts.outputs;
    return summary;
}

Related relatedTo(Database& database, const Selection& selection) {
    Related related;
    related.of = selection;
    const query::Place place = placeOf(selection);
    query::Relations relations(database);
    const auto events = relations.op_events(place, kRelatedEvents);
    std::int64_t asked = 0;
    for (const auto id : events) {
        related.events.insert(id);
        if (asked++ < kEventsAskedForKinds) {
            if (const auto event = query::op_event(database, id)) {
                related.kinds.insert(event->kind_id);
            }
        }
    }
    related.firstEvent = events.empty() ? 0 : events.front();
    for (const auto id : relations.transfers(place, kRelatedEvents)) {
        related.transfers.insert(id);
    }
    for (const auto id : relations.findings(place)) {
        related.findings.insert(id);
    }
    for (const auto& line : relations.lines(place)) {
        related.lines.push_back({line.id, static_cast<int>(line.line)});
    }
    for (const auto graph : relations.graphs(place)) {
        related.graphs.push_back(graph);
        if (related.graphs.size() > kRelatedGraphs) {
            continue;
        }
        const auto stages = query::stages(database, graph);
        if (!stages.empty()) {
            for (const auto id : relations.nodes(place, stages.back().id)) {
                related.finalNodes.insert(id);
            }
        }
    }
    return related;
}

}  // namespace

query::Place placeOf(const Selection& selection) {
    using Table = query::Place::Table;
    Table table = Table::none;
    switch (selection.kind) {
        case Selection::Kind::OpEvent:
            table = Table::op_event;
            break;
        case Selection::Kind::OpKind:
            table = Table::kind;
            break;
        case Selection::Kind::Node:
            table = Table::node;
            break;
        case Selection::Kind::Line:
            table = Table::line;
            break;
        case Selection::Kind::Scope:
            table = Table::scope;
            break;
        case Selection::Kind::Transfer:
            table = Table::transfer;
            break;
        case Selection::Kind::Finding:
            table = Table::finding;
            break;
        case Selection::Kind::Graph:
            table = Table::graph;
            break;
        case Selection::Kind::Stage:
        case Selection::Kind::None:
            break;
    }
    return {table, selection.id, selection.line};
}

Session::Session(QObject* parent)
    : QObject(parent),
      stages_(new ShownStages(*this)),
      bookmarks_(new Bookmarks(this)),
      debug_(new DebugSession),
      check_(new CheckRun) {
    connect(&jobs_, &Jobs::failed, this, &Session::note);
    refreshTimer_.setSingleShot(true);
    connect(&refreshTimer_, &QTimer::timeout, this, &Session::refreshNow);
    connect(&jobs_, &Jobs::idle, this, [this] {
        roundMs_ = refreshed_.isValid() ? refreshed_.elapsed() : 0;
        if (std::exchange(refreshWanted_, false)) {
            refreshTimer_.start(static_cast<int>(roundMs_));
        }
    });
}

Session::~Session() = default;

void Session::open(const QString& file, bool live) {
    const QString path = file;  // may be our own path_, which close() clears
    close();
    path_ = path;
    live_ = live;
    jobs_.setProfile(path, live);
    jobs_.run(
        this, QStringLiteral("open"), [](JobContext& context) { return summarize(context.database(), 0); },
        [this](ProfileSummary summary) {
            summary_ = std::move(summary);
            opened_ = true;
            bookmarks_->setProfile(path_);
            emit profileOpened();
            if (const QString address = std::exchange(wantedAddress_, {}); !address.isEmpty()) {
                goTo(address);
            }
        },
        [this](const QString& reason) {
            const QString failed = path_;
            // A live profile may still be too young to be read; the next refresh tries again.
            if (live_) {
                return;
            }
            close();
            emit openFailed(failed, reason);
        });
}

void Session::close() {
    jobs_.setProfile(QString(), false);
    const bool was = std::exchange(opened_, false);
    path_.clear();
    live_ = false;
    refreshTimer_.stop();
    refreshWanted_ = false;
    summary_ = {};
    selection_ = {};
    related_ = {};
    history_.clear();
    position_ = -1;
    timeRange_.reset();
    wantedAddress_.clear();
    if (was) {
        bookmarks_->setProfile({});
        emit profileClosed();
    }
}

void Session::refresh() {
    if (!live_ || (jobs_.isIdle() && !refreshTimer_.isActive())) {
        refreshNow();
    } else if (!refreshTimer_.isActive()) {
        refreshWanted_ = true;
    }
}

void Session::refreshNow() {
    if (path_.isEmpty()) {
        return;
    }
    refreshed_.start();
    if (!opened_) {
        open(path_, live_);
        return;
    }
    jobs_.run(
        this, QStringLiteral("summary"),
        [zero = summary_.zeroNs](JobContext& context) { return summarize(context.database(), zero); },
        [this](ProfileSummary summary) {
            summary_ = std::move(summary);
            emit profileGrew();
        },
        [](const QString&) {});
}

void Session::finishLive() {
    if (!live_) {
        return;
    }
    live_ = false;
    refreshTimer_.stop();
    refreshWanted_ = false;
    jobs_.setLive(false);
    refresh();
}

void Session::select(const Selection& selection) {
    if (selection == selection_) {
        return;
    }
    history_.resize(position_ + 1);
    history_.push_back(selection);
    if (history_.size() > kHistoryLimit) {
        history_.removeFirst();
    }
    position_ = static_cast<int>(history_.size()) - 1;
    apply(selection);
}

void Session::setTimeRange(std::optional<TimeRange> range) {
    if (range != timeRange_) {
        timeRange_ = range;
        emit timeRangeChanged();
    }
}

void Session::goTo(const QString& address) {
    if (!opened_) {
        wantedAddress_ = address;
        return;
    }
    jobs_.run(
        this, QStringLiteral("go to"), [address](JobContext& context) { return thingAt(context.database(), address); },
        [this, address](const Selection& selection) {
            if (selection.isNone()) {
                emit note(tr("This profile has no %1.").arg(address));
            } else {
                select(selection);
            }
        });
}

void Session::back() {
    if (canGoBack()) {
        apply(history_[--position_]);
    }
}

void Session::forward() {
    if (canGoForward()) {
        apply(history_[++position_]);
    }
}

void Session::apply(const Selection& selection) {
    selection_ = selection;
    emit selectionChanged(selection_);
    relate();
}

void Session::relate() {
    if (selection_.isNone()) {
        jobs_.cancel(this, QStringLiteral("related"));
        related_ = {};
        emit relatedChanged(related_);
        return;
    }
    jobs_.run(
        this, QStringLiteral("related"),
        [selection = selection_](JobContext& context) { return relatedTo(context.database(), selection); },
        [this](Related related) {
            related_ = std::move(related);
            emit relatedChanged(related_);
        });
}

}  // namespace fusescope::gui
