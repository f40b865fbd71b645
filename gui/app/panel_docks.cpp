// Where panels go is said by their definitions; this file names none of them.
#include "gui/app/panel_docks.hpp"

#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QLineEdit>
#include <QMainWindow>
#include <QMenu>
#include <QSet>
#include <QSplitter>
#include <QTabWidget>
#include <QTimer>
#include <algorithm>
#include <utility>

#include "gui/app/icons.hpp"
#include "gui/app/session.hpp"
#include "gui/app/settings.hpp"

namespace fusescope::gui {

namespace {

constexpr int kLayoutVersion = 2;

Qt::DockWidgetArea areaOf(DockPlace place) {
    switch (place) {
        case DockPlace::Left:
            return Qt::LeftDockWidgetArea;
        case DockPlace::Right:
        case DockPlace::RightBelow:
            return Qt::RightDockWidgetArea;
        default:
            return Qt::BottomDockWidgetArea;
    }
}

// Qt names the buttons of a dock's title when it makes them, and not again.
void nameButtons(QDockWidget& dock) {
    for (const auto& [name, text] : {std::pair("qt_dockwidget_closebutton", QDockWidget::tr("Close")),
                                     std::pair("qt_dockwidget_floatbutton", QDockWidget::tr("Float"))}) {
        if (auto* button = dock.findChild<QWidget*>(QString::fromLatin1(name))) {
            button->setAccessibleName(text);
            button->setToolTip(text);
        }
    }
}

// What is chosen and written in one panel, into another of the same class.
void carryOver(const Panel& old, Panel& now) {
    const auto each = [&](auto* kind, auto copy) {
        using Widget = std::remove_pointer_t<decltype(kind)>;
        const auto from = old.findChildren<Widget*>();
        const auto to = now.findChildren<Widget*>();
        for (int i = 0; from.size() == to.size() && i < from.size(); ++i) {
            copy(from[i], to[i]);
        }
    };
    each(static_cast<QComboBox*>(nullptr), [](QComboBox* from, QComboBox* to) {
        if (from->count() == to->count()) {
            to->setCurrentIndex(from->currentIndex());
        }
    });
    each(static_cast<QLineEdit*>(nullptr), [](QLineEdit* from, QLineEdit* to) { to->setText(from->text()); });
    each(static_cast<QSplitter*>(nullptr), [](QSplitter* from, QSplitter* to) { to->restoreState(from->saveState()); });
}

}  // namespace

PanelDocks::PanelDocks(Session& session, QMainWindow& window, QTabWidget& centre) : window_(window), centre_(centre) {
    makePanels(session);
    connect(&session, &Session::panelAsked, this, &PanelDocks::raise);
    defaultLayout();
    setShown(false);
}

PanelDocks::~PanelDocks() {
    for (auto& slot : panels_) {
        delete slot.panel;
    }
}

void PanelDocks::makePanels(Session& session) {
    for (auto& definition : panel_all()) {
        panels_.push_back({definition, nullptr, nullptr});
    }
    std::stable_sort(panels_.begin(), panels_.end(),
                     [](const Slot& a, const Slot& b) { return a.definition.order < b.definition.order; });
    for (auto& slot : panels_) {
        const PanelDefinition& definition = slot.definition;
        slot.panel = makePanel(definition, session);
        if (definition.place == DockPlace::Center) {
            centre_.addTab(slot.panel, icon(definition.icon), definition.translatedTitle());
            continue;
        }
        slot.dock = new QDockWidget(definition.translatedTitle(), &window_);
        slot.dock->setObjectName(QStringLiteral("dock_") + definition.id);
        slot.dock->setWidget(slot.panel);
        connect(slot.dock, &QDockWidget::visibilityChanged, slot.panel, &Panel::setInView);
        nameButtons(*slot.dock);
    }
}

Panel* PanelDocks::makePanel(const PanelDefinition& definition, Session& session) {
    Panel* panel = definition.create(session);
    panel->setObjectName(definition.id);
    panel->setAccessibleName(definition.translatedTitle());
    connect(panel, &Panel::wanted, this, [this, id = definition.id] {
        wanted_ = id;
        QTimer::singleShot(0, this, &PanelDocks::raiseWanted);
    });
    return panel;
}

void PanelDocks::rebuild(Session& session) {
    const int current = centre_.currentIndex();
    for (auto& slot : panels_) {
        const PanelDefinition& definition = slot.definition;
        Panel* const old = slot.panel;
        slot.panel = makePanel(definition, session);
        carryOver(*old, *slot.panel);
        slot.panel->takeOver(*old);
        if (slot.dock) {
            slot.panel->setInView(old->inView());
            slot.dock->setWindowTitle(definition.translatedTitle());
            slot.dock->setWidget(slot.panel);
            connect(slot.dock, &QDockWidget::visibilityChanged, slot.panel, &Panel::setInView);
            nameButtons(*slot.dock);
        } else {
            const int at = centre_.indexOf(old);
            centre_.removeTab(at);
            centre_.insertTab(at, slot.panel, icon(definition.icon), definition.translatedTitle());
        }
        delete old;
    }
    centre_.setCurrentIndex(current);
}

void PanelDocks::defaultLayout() {
    QDockWidget* leaders[5] = {};
    for (auto& slot : panels_) {
        if (!slot.dock) {
            continue;
        }
        slot.dock->setFloating(false);
        window_.addDockWidget(areaOf(slot.definition.place), slot.dock);
        QDockWidget*& leader = leaders[static_cast<int>(slot.definition.place)];
        if (leader) {
            window_.tabifyDockWidget(leader, slot.dock);
        } else {
            leader = slot.dock;
        }
        slot.dock->setVisible(debugging_ || !slot.definition.debugging);
    }
    QDockWidget* left = leaders[static_cast<int>(DockPlace::Left)];
    QDockWidget* right = leaders[static_cast<int>(DockPlace::Right)];
    QDockWidget* bottom = leaders[static_cast<int>(DockPlace::Bottom)];
    if (left) {
        window_.resizeDocks({left}, {std::clamp(window_.width() * 27 / 100, 260, 620)}, Qt::Horizontal);
    }
    if (right) {
        window_.resizeDocks({right}, {std::clamp(window_.width() * 20 / 100, 220, 440)}, Qt::Horizontal);
    }
    if (bottom) {
        bottom->raise();
        window_.resizeDocks({bottom}, {std::clamp(window_.height() * 32 / 100, 180, 520)}, Qt::Vertical);
    }
}

void PanelDocks::resetLayout() {
    settings::forgetLayout();
    if (shown_) {
        defaultLayout();
    }
}

void PanelDocks::setShown(bool shown) {
    if (shown_ == shown) {
        return;
    }
    if (shown) {
        shown_ = true;
        defaultLayout();
        window_.restoreState(settings::layout(), kLayoutVersion);
        applyDebugging();
        showing_ = true;
        // The tabs are made when the layout is next activated; before that there is nothing to raise.
        QTimer::singleShot(0, this, [this, raised = settings::raisedDocks()] {
            for (const auto& slot : panels_) {
                if (slot.dock && raised.contains(slot.dock->objectName())) {
                    slot.dock->raise();
                }
            }
            applyDebugging();
            showing_ = false;
            raiseWanted();
        });
        return;
    }
    save();
    shown_ = false;
    for (auto& slot : panels_) {
        if (slot.dock) {
            slot.dock->hide();
        }
    }
}

void PanelDocks::setDebugging(bool debugging) {
    if (debugging != debugging_) {
        debugging_ = debugging;
        if (shown_) {
            applyDebugging();
        }
    }
}

void PanelDocks::applyDebugging() {
    QSet<DockPlace> done;
    for (const auto& slot : panels_) {
        if (!slot.dock || !slot.definition.debugging) {
            continue;
        }
        slot.dock->setVisible(debugging_);
        if (debugging_ && !done.contains(slot.definition.place)) {
            done.insert(slot.definition.place);
            // Tabs are made when the layout is next activated.
            QTimer::singleShot(0, slot.dock, &QWidget::raise);
        }
    }
    if (debugging_ && settings::layout().isEmpty()) {
        // Source and variables are what one looks at now: they get most of the room.
        for (const auto& slot : panels_) {
            const auto place = slot.definition.place;
            const int percent = place == DockPlace::Left ? 42 : place == DockPlace::Right ? 24 : 0;
            if (slot.dock && percent > 0) {
                window_.resizeDocks({slot.dock}, {std::max(slot.dock->width(), window_.width() * percent / 100)},
                                    Qt::Horizontal);
            }
            if (slot.dock && slot.definition.debugging && place == DockPlace::RightBelow) {
                window_.resizeDocks({slot.dock}, {window_.height() * 26 / 100}, Qt::Vertical);
            }
        }
    }
}

void PanelDocks::save() {
    // Before the window was ever seen there is no layout that anybody chose.
    const bool chosen = shown_ && window_.isVisible();
    QStringList raised;
    for (const auto& slot : panels_) {
        if (slot.dock && slot.panel->isInView()) {
            raised << slot.dock->objectName();
        }
    }
    settings::saveWindow(window_.saveGeometry(), chosen ? window_.saveState(kLayoutVersion) : QByteArray(), raised);
}

void PanelDocks::raiseWanted() {
    if (shown_ && !showing_ && !wanted_.isEmpty()) {
        raise(std::exchange(wanted_, {}));
    }
}

bool PanelDocks::raise(const QString& id) {
    for (const auto& slot : panels_) {
        if (slot.definition.id != id) {
            continue;
        }
        if (slot.dock) {
            slot.dock->show();
            slot.dock->raise();
        } else {
            centre_.setCurrentWidget(slot.panel);
        }
        slot.panel->setFocus(Qt::ShortcutFocusReason);
        return true;
    }
    return false;
}

QWidget* PanelDocks::panel(const QString& id) const {
    for (const auto& slot : panels_) {
        if (slot.definition.id == id) {
            return slot.panel;
        }
    }
    return nullptr;
}

void PanelDocks::find() {
    for (QWidget* widget = QApplication::focusWidget(); widget; widget = widget->parentWidget()) {
        if (auto* panel = qobject_cast<Panel*>(widget)) {
            panel->find();
            return;
        }
    }
    if (auto* panel = qobject_cast<Panel*>(centre_.currentWidget())) {
        panel->find();
    }
}

void PanelDocks::fillMenu(QMenu& menu) {
    for (const auto& slot : panels_) {
        menu.addAction(slot.definition.translatedTitle(), slot.definition.shortcut, this,
                       [this, id = slot.definition.id] { raise(id); });
    }
}

void PanelDocks::refreshIcons() {
    for (const auto& slot : panels_) {
        if (!slot.dock) {
            centre_.setTabIcon(centre_.indexOf(slot.panel), icon(slot.definition.icon));
        }
    }
}

}  // namespace fusescope::gui
