#include "gui/widgets/hint.hpp"

#include <QEvent>

namespace fusescope::gui {

Hint::Hint(QAbstractScrollArea& view) : QLabel(view.viewport()) {
    setAlignment(Qt::AlignCenter);
    setWordWrap(true);
    setMargin(12);
    setForegroundRole(QPalette::PlaceholderText);
    setAttribute(Qt::WA_TransparentForMouseEvents);
    view.viewport()->installEventFilter(this);
    hide();
}

void Hint::setText(const QString& text) {
    QLabel::setText(text);
    setGeometry(parentWidget()->rect());
    setVisible(!text.isEmpty());
}

bool Hint::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize) {
        setGeometry(parentWidget()->rect());
    }
    return QLabel::eventFilter(watched, event);
}

}  // namespace fusescope::gui
