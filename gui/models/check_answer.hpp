// What `fusescope --check --keep` has found out, as the window shows it: the answer of its check.json.
#pragma once

#include <QByteArray>
#include <QCoreApplication>
#include <QString>
#include <QStringList>
#include <QVector>
#include <optional>

namespace fusescope::gui {

struct CheckPlace {
    QString op;
    QString file;  ///< empty when unknown
    int line = 0;
    QString source;  ///< text of the line

    QString text() const;  ///< "Div at train.py:11"
};

/// An op whose values differ.
struct CheckRow {
    CheckPlace place;
    QString scope, phase;
    qint64 step = 0, occurrence = 1, occurrences = 1, output = 0;
    QString dtype, shape;
    QString graph, kernel;
    QVector<CheckPlace> members;  ///< of the kernel
    QString what;                 ///< "values", else "dtype", "shape" or "not kept"
    qint64 elements = 0, different = 0, beyond = 0;
    double absolute = 0, relative = 0;  ///< may be infinite
    std::optional<double> ulp;
    QString eager, graphValue;  ///< at the largest difference
    bool within = true;         ///< the tolerance
    int cause = -1;             ///< in CheckAnswer::causes; -1: not known
    qint64 eagerEvent = 0, graphEvent = 0, node = 0;
    QString eagerValues, graphValues;  ///< files; empty when they were not kept

    bool sameOp(const CheckRow& other) const {
        return place.op == other.place.op && place.file == other.place.file && place.line == other.place.line &&
               phase == other.phase && occurrence == other.occurrence && output == other.output;
    }
};

struct CheckCause {
    QString pass;  ///< empty: none is to blame
    QString sentence, rounding, passes, passesWith, rule;
    bool alone = true;
    qint64 rewrite = 0, rewrites = 0;
    CheckPlace rewritten;
};

struct CheckEnding {
    int status = 0;
    QString exception;
    bool operator==(const CheckEnding&) const = default;
};

struct CheckAnswer {
    Q_DECLARE_TR_FUNCTIONS(CheckAnswer)

 public:
    QString folder, script;
    QString verdict;  ///< "agree", "close", "differ" or "unsteady"
    std::optional<double> rtol, atol;
    qint64 eagerTensors = 0, compared = 0, different = 0, beyond = 0, unjudged = 0;
    QVector<CheckRow> rows;
    QVector<CheckCause> causes;
    qint64 printedLine = 0;  ///< first line that was printed differently; 0: none
    QString printedEagerly, printedInGraphs;
    CheckEnding eager, graph;
    QString eagerProfile, graphProfile;  ///< files; empty when there are none
    QString doing;                       ///< "eager", "graph", "again", "values", "cause"; empty at the end
    QString doingPasses;
    int runs = 0;

    bool finished() const { return doing.isEmpty(); }
    /// The two runs of the program have been compared; nothing before that means anything.
    bool compares() const {
        return finished() || doing == QStringLiteral("again") || doing == QStringLiteral("cause") || !rows.isEmpty();
    }
    const CheckCause* causeOf(const CheckRow& row) const {
        return row.cause >= 0 && row.cause < causes.size() ? &causes[row.cause] : nullptr;
    }
};

/// Files are named in the answer as lying in `folder`. Nothing, with a reason, when it is no such answer.
std::optional<CheckAnswer> parseCheckAnswer(const QByteArray& json, const QString& folder, QString* whyNot);

// In sentences:
QString verdictText(const CheckAnswer& answer);
/// What was compared, how, and how often the program was run.
QString factsText(const CheckAnswer& answer);
/// Printed and ended differently; empty when not.
QString behaviourText(const CheckAnswer& answer);
/// "BatchNorm folded into Conv2D, rewrite 1 of 1 of fold-conv-batchnorm, at …".
QString causeText(const CheckCause& cause);
/// What a check that goes on is about.
QString doingText(const CheckAnswer& answer);

}  // namespace fusescope::gui
