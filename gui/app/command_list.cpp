#include "gui/app/command_list.hpp"

#include <QAction>
#include <QMenu>
#include <QMenuBar>
#include <QRegularExpression>
#include <algorithm>

namespace fusescope::gui {

namespace {

// "打开(&O)…" is read as "打开…", "&Open…" as "Open…".
QString plain(QString text) {
    static const QRegularExpression key(QStringLiteral("\\(&.\\)"));
    return text.remove(key).remove('&');
}

void collect(const QMenu& menu, const QString& path, QVector<Command>& all) {
    for (QAction* action : menu.actions()) {
        if (action->isSeparator() || action->text().isEmpty()) {
            continue;
        }
        const QString here = path + QStringLiteral(" › ") + plain(action->text());
        if (action->menu()) {
            // Menus that are filled when they open know it by this.
            emit action->menu()->aboutToShow();
            collect(*action->menu(), here, all);
        } else {
            all.push_back({here, action->shortcut().toString(QKeySequence::NativeText), action});
        }
    }
}

// Letters in order, from the left; -1 when one is missing. `ahead`: a beginning of a word further on is taken before
// the same letter inside of one, which may leave none for the letters after it.
int lettersScore(const QString& typed, const QString& text, bool ahead) {
    int score = 0;
    qsizetype at = 0;
    qsizetype last = -2;
    const auto begins = [&text](qsizetype i) { return i == 0 || !text[i - 1].isLetterOrNumber(); };
    for (const QChar c : typed) {
        if (c.isSpace()) {
            continue;
        }
        qsizetype found = -1;
        for (qsizetype i = at; i < text.size(); ++i) {
            if (text[i].toLower() != c.toLower()) {
                continue;
            }
            found = found < 0 ? i : found;
            if (!ahead || i == last + 1 || begins(i)) {
                found = i;
                break;
            }
        }
        if (found < 0) {
            return -1;
        }
        score += found == last + 1 ? 6 : begins(found) ? 5 : 1;
        last = found;
        at = found + 1;
    }
    return score;
}

}  // namespace

QVector<Command> commandsOf(const QMenuBar& menus) {
    QVector<Command> all;
    for (const QAction* top : menus.actions()) {
        if (top->menu()) {
            emit top->menu()->aboutToShow();
            collect(*top->menu(), plain(top->text()), all);
        }
    }
    return all;
}

int fuzzyScore(const QString& typed, const QString& text) {
    const int letters = std::max(lettersScore(typed, text, true), lettersScore(typed, text, false));
    if (letters < 0) {
        return -1;
    }
    // Words typed as they are written are best of all, and shorter names before longer ones.
    const bool whole = !typed.trimmed().isEmpty() && text.contains(typed.trimmed(), Qt::CaseInsensitive);
    return (letters + (whole ? 1000 : 0)) * 100 + 100 - static_cast<int>(std::min<qsizetype>(text.size(), 99));
}

}  // namespace fusescope::gui
