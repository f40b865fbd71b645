// The commands that move a program under debugging: one set of actions, for the menu and for the bar above the panels.
#pragma once

#include <QFrame>
#include <QHash>
#include <QKeySequence>
#include <QLabel>
#include <QStringList>
#include <functional>

class QAction;
class QMenu;
class QToolButton;

namespace fusescope::gui {

class DebugSession;

/// The bar; it can be seen while a program is debugged, and says where that stands.
class DebugControls : public QFrame {
    Q_OBJECT

 public:
    explicit DebugControls(DebugSession& debug, QWidget* parent = nullptr);

    void fillMenu(QMenu& menu);
    /// Whether a program is on offer that could be debugged.
    void setCanStart(bool can);
    QString text() const { return text_->text(); }
    QAction* action(const QString& name) const { return actions_.value(name); }

 signals:
    void startRequested();

 protected:
    void changeEvent(QEvent* event) override;

 private:
    void make(const QString& name, const QString& iconName, const QKeySequence& key, const std::function<void()>& run);
    void showState();
    void retranslate();
    void drawIcons();

    DebugSession& debug_;
    QHash<QString, QAction*> actions_;
    QHash<QString, QToolButton*> buttons_;
    QHash<QString, QString> icons_;
    QStringList order_;
    QLabel* text_;
    QLabel* place_;
    bool canStart_ = false;
};

}  // namespace fusescope::gui
