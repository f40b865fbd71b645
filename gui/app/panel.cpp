// Panels are refreshed when they can be seen, at most once per frame; hidden ones catch up when they are shown.
#include "gui/app/panel.hpp"

#include <QCoreApplication>

#include "gui/app/session.hpp"

namespace fusescope::gui {

QString PanelDefinition::translatedTitle() const { return QCoreApplication::translate("panel", title); }

Panel::Panel(Session& session) : session_(session) {
    timer_.setSingleShot(true);
    timer_.setInterval(0);
    connect(&timer_, &QTimer::timeout, this, &Panel::update);
    const auto later = [this] {
        if (isInView()) {
            timer_.start();
        }
    };
    connect(&session, &Session::profileOpened, this, [this, later] {
        contentStale_ = selectionStale_ = true;
        later();
    });
    connect(&session, &Session::profileGrew, this, [this, later] {
        contentStale_ = true;
        later();
    });
    connect(&session, &Session::profileClosed, this, [this] {
        contentStale_ = false;
        clear();
    });
    connect(&session, &Session::selectionChanged, this, [this, later] {
        selectionStale_ = true;
        relatedStale_ = false;
        later();
    });
    connect(&session, &Session::relatedChanged, this, [this, later] {
        relatedStale_ = true;
        later();
    });
}

void Panel::invalidate() {
    contentStale_ = true;
    if (isInView()) {
        timer_.start();
    }
}

void Panel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    timer_.start();
}

void Panel::setInView(bool inView) {
    inView_ = inView;
    if (inView) {
        timer_.start();
    }
}

void Panel::update() {
    if (!isInView() || !session_.hasProfile()) {
        return;
    }
    if (std::exchange(contentStale_, false)) {
        reload();
    }
    if (std::exchange(selectionStale_, false)) {
        showSelection(session_.selection());
        relatedStale_ = true;
    }
    if (relatedStale_ && session_.related().of == session_.selection()) {
        relatedStale_ = false;
        showRelated(session_.related());
    }
}

}  // namespace fusescope::gui
