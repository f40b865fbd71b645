// Every action of the menus by name, for the command palette.
#pragma once

#include <QPointer>
#include <QString>
#include <QVector>

class QAction;
class QMenuBar;

namespace fusescope::gui {

struct Command {
    QString path;  ///< "View › Theme › Dark"
    QString keys;  ///< shortcut, as the platform writes it
    QPointer<QAction> action;
};

/// All that the menus offer, also what is off at the moment, in their order.
QVector<Command> commandsOf(const QMenuBar& menus);

/// How well `text` answers to what was typed: letters of it in order, the better the closer together and the nearer to
/// beginnings of words; -1 when it does not. Nothing typed answers to all.
int fuzzyScore(const QString& typed, const QString& text);

}  // namespace fusescope::gui
