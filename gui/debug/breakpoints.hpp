// Where a program is to stop: lines, functions (also ops and Cells), watchpoints and exception filters of one script.
// They are kept in the settings, and stay when nothing is debugged.
#pragma once

#include <QObject>
#include <QSet>
#include <QString>
#include <QVector>

namespace fusescope::gui {

/// One time that a watchpoint was hit.
struct WatchHit {
    QString op;  ///< empty: a gradient as a whole
    QString shape, path;
    int line = 0;
    int step = 0;
    qint64 event = 0;  ///< in the recording; 0: not known
    bool operator==(const WatchHit&) const = default;
};

struct Breakpoint {
    /// Data stops when a Parameter changes.
    enum class Kind { Line, Function, Watch, Data };

    Kind kind = Kind::Line;
    bool enabled = true;
    QString path;          ///< of Line: absolute
    int line = 0;          ///< of Line: 1-based
    QString text;          ///< of Function its name, of Watch its condition, of Data the Parameter
    QString condition;     ///< Python; of Line and Function
    QString hitCondition;  ///< "5", "% 10"; of Line and Function
    QString logMessage;    ///< of Line: printed instead of stopping

    int key = 0;  ///< names it as long as the window lives; given by Breakpoints

    // What the debugger said; not kept in the settings.
    int id = 0;
    bool placed = false;  ///< false with an id: it could not be placed, see message
    QString message;
    qint64 hits = 0;
    QVector<WatchHit> list;        ///< the last of them, of Watch and Data
    QVector<WatchHit> listBefore;  ///< under earlier ids
    qint64 hitsBefore = 0;         ///< under earlier ids: the debugger counts anew when it is given a new list

    bool refused() const { return id != 0 && !placed; }
};

struct ExceptionFilter {
    QString id;
    QString title;
    QString tip;
};

class Breakpoints : public QObject {
    Q_OBJECT

 public:
    explicit Breakpoints(QObject* parent = nullptr);

    /// Takes those that were kept for this script.
    void setScript(const QString& script);
    QString script() const { return script_; }

    const QVector<Breakpoint>& all() const { return all_; }
    /// Index of the breakpoint of a line, -1 without one.
    int indexOf(const QString& path, int line) const;
    void toggleLine(const QString& path, int line);
    /// Gives the index.
    int add(const Breakpoint& breakpoint);
    void replace(int index, const Breakpoint& breakpoint);
    void remove(int index);
    void removeAll();

    static QVector<ExceptionFilter> knownFilters();
    const QSet<QString>& filters() const { return filters_; }
    void setFilter(const QString& id, bool on);

    /// From the debugger. No change that has to be told back to it.
    void setPlaced(int key, int id, bool placed, int line, const QString& message);
    /// `list` may be shorter than `hits`: it is not known while the program runs.
    void setHits(int id, qint64 hits, const QVector<WatchHit>& list = {});
    /// Nothing is debugged any more.
    void forgetPlaces();
    /// A program begins: counts are of this run.
    void forgetHits();

 signals:
    /// The user's wishes have changed: `kind` of breakpoint.
    void wanted(fusescope::gui::Breakpoint::Kind kind);
    void filtersWanted();
    /// Anything that is shown has changed.
    void changed();

 private:
    void save() const;

    QString script_;
    QVector<Breakpoint> all_;
    int lastKey_ = 0;
    QSet<QString> filters_{QStringLiteral("uncaught")};
};

}  // namespace fusescope::gui
