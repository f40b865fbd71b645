// The panels of a window: makes them from their definitions, and keeps where they are docked.
#pragma once

#include <QVector>

#include "gui/app/panel.hpp"

class QDockWidget;
class QMainWindow;
class QMenu;
class QTabWidget;

namespace fusescope::gui {

class PanelDocks : public QObject {
    Q_OBJECT

 public:
    /// Panels of the centre go into `centre` as tabs, all others into docks of `window`.
    PanelDocks(Session& session, QMainWindow& window, QTabWidget& centre);
    ~PanelDocks() override;

    /// Brings a panel to the front and gives it the keyboard; false when there is no panel of that id.
    bool raise(const QString& id);
    QWidget* panel(const QString& id) const;
    /// Puts the keyboard into the find box of the panel that has the focus, else of the centre.
    void find();
    void fillMenu(QMenu& menu);
    /// Draws the icons again, after the theme has changed.
    void refreshIcons();

    /// Docks stand for a profile: without one they are out of the way, and the layout is kept for the next.
    void setShown(bool shown);
    /// The panels of debugging come, in front; once shown they stay until the profile is closed.
    void setDebugging(bool debugging);
    void resetLayout();
    /// Makes every panel again, in the language of now, and keeps its place and what was chosen in it.
    void rebuild(Session& session);
    /// Into the settings; nothing while the docks are not shown.
    void save();

 private:
    struct Slot {
        PanelDefinition definition;
        Panel* panel = nullptr;
        QDockWidget* dock = nullptr;  ///< null for those in the centre
    };

    void makePanels(Session& session);
    Panel* makePanel(const PanelDefinition& definition, Session& session);
    void defaultLayout();
    void applyDebugging();
    void raiseWanted();

    QMainWindow& window_;
    QTabWidget& centre_;
    QVector<Slot> panels_;
    bool shown_ = true;
    bool debugging_ = false;
    bool showing_ = false;  ///< tabs are still to be made and raised
    QString wanted_;        ///< panel that asked to be in front
};

}  // namespace fusescope::gui
