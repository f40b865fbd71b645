// What all panels share: one profile, one selection with what it touches, the jobs that read the profile, the program
// that is being debugged, and the comparison of one with itself.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QTimer>
#include <memory>

#include "gui/app/jobs.hpp"
#include "gui/app/selection.hpp"
#include "gui/app/shown_stages.hpp"
#include "profiler/query/relations.hpp"

namespace fusescope::gui {

class CheckRun;
class Bookmarks;
class DebugSession;

/// Facts about the open profile that are read once per refresh.
struct ProfileSummary {
    QString script;
    QString mode;
    QString device;
    QString status;     ///< "running", "ok", "raised", "killed"
    qint64 zeroNs = 0;  ///< when the first thing was recorded: times are shown since then
    qint64 opEvents = 0;
    qint64 transfers = 0;
    qint64 graphs = 0;
    qint64 findings = 0;
    qint64 outputs = 0;
};

/// The place that a selection means to profiler/query.
query::Place placeOf(const Selection& selection);

class Session : public QObject {
    Q_OBJECT

 public:
    explicit Session(QObject* parent = nullptr);
    ~Session() override;

    Jobs& jobs() { return jobs_; }
    DebugSession& debug() { return *debug_; }
    CheckRun& check() { return *check_; }
    ShownStages& stages() { return *stages_; }
    Bookmarks& bookmarks() { return *bookmarks_; }

    /// Opens a profile; profileOpened or openFailed follows. `live`: it is being recorded at the moment.
    void open(const QString& path, bool live = false);
    void close();
    bool hasProfile() const { return opened_; }
    QString path() const { return path_; }
    bool isLive() const { return live_; }
    const ProfileSummary& summary() const { return summary_; }
    /// The live profile has grown: panels ask again, once they have what they asked for before. Between two rounds the
    /// file is left alone for as long as a round took.
    void refresh();
    /// The recording has ended; one last refresh.
    void finishLive();

    const Selection& selection() const { return selection_; }
    const Related& related() const { return related_; }
    void select(const Selection& selection);
    /// Selects what an address in a link means (see gui/models/place.hpp), or says that there is no such thing. When
    /// the profile is still being opened, as soon as it is.
    void goTo(const QString& address);
    /// The stretch of time that was marked in the timeline: sums, charts and tables of ops are of what begins in it.
    const std::optional<TimeRange>& timeRange() const { return timeRange_; }
    void setTimeRange(std::optional<TimeRange> range);
    void back();
    void forward();
    bool canGoBack() const { return position_ > 0; }
    bool canGoForward() const { return position_ + 1 < history_.size(); }

 signals:
    void profileOpened();
    void profileGrew();
    void profileClosed();
    void openFailed(const QString& path, const QString& reason);
    void selectionChanged(const fusescope::gui::Selection& selection);
    void relatedChanged(const fusescope::gui::Related& related);
    void timeRangeChanged();
    /// A sentence for the status line.
    void note(const QString& text);
    /// A panel has something that was asked for, and wants to be seen.
    void panelAsked(const QString& id);

 private:
    void refreshNow();
    void apply(const Selection& selection);
    void relate();

    Jobs jobs_;
    ShownStages* stages_;
    Bookmarks* bookmarks_;
    std::unique_ptr<DebugSession> debug_;
    std::unique_ptr<CheckRun> check_;
    QString path_;
    bool opened_ = false;
    bool live_ = false;
    QTimer refreshTimer_;
    QElapsedTimer refreshed_;  ///< since the last round began
    qint64 roundMs_ = 0;       ///< what the last round took
    bool refreshWanted_ = false;
    QString wantedAddress_;  ///< to go to once the profile is open
    ProfileSummary summary_;
    std::optional<TimeRange> timeRange_;
    Selection selection_;
    Related related_;
    QVector<Selection> history_;
    int position_ = -1;
};

}  // namespace fusescope::gui
