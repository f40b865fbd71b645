// What a watchpoint stops at, taken apart: the text that the debugger reads is made of a kind with its numbers, and of
// what is watched.
#pragma once

#include <QString>
#include <QVector>
#include <optional>

namespace fusescope::gui {

struct WatchCondition {
    QString kind = QStringLiteral("nan");
    QString a, b;    ///< the kind's numbers as written; a is the expression of "expr"
    QString on;      ///< "op", "cell", "parameter", "parameters", "gradients"; empty: every tensor
    QString target;  ///< name of the op, Cell or Parameter

    struct Kind {
        QString word;
        QString title;  ///< "leaves a range"
        QString first;  ///< what its first number is; empty: it takes none
        QString second;
        QString firstHint;  ///< an example
        QString secondHint;
    };
    /// In the language of now.
    static QVector<Kind> kinds();
    struct Place {
        QString word;
        QString title;
        QString target;  ///< what its name is; empty: it takes none
        QString hint;
    };
    static QVector<Place> places();

    /// As the debugger reads it; empty while something is missing.
    QString text() const;
    /// Nothing when the text has another form; the debugger may understand it all the same.
    static std::optional<WatchCondition> of(const QString& text);
    /// "NaN in op Softmax" for people; the text itself when it has another form.
    static QString sentence(const QString& text);

    bool operator==(const WatchCondition&) const = default;
};

}  // namespace fusescope::gui
