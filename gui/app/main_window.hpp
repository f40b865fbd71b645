// The window: a start page, docks made from the panels' definitions, menus, and the bar that runs scripts.
#pragma once

#include <QMainWindow>
#include <QTimer>
#include <memory>

#include "gui/app/language.hpp"
#include "gui/app/recording.hpp"
#include "gui/app/session.hpp"
#include "gui/app/theme.hpp"

class QLabel;
class QMenu;
class QMenuBar;
class QProgressBar;
class QStackedWidget;
class QTabWidget;

namespace fusescope::gui {

class CheckCommand;
class Breadcrumb;
class CodeBreaks;
class CodeView;
class DebugControls;
class Finder;
class PanelDocks;
class RunBar;
class StartPage;

class MainWindow : public QMainWindow {
    Q_OBJECT

 public:
    MainWindow();
    ~MainWindow() override;

    Session& session() { return session_; }
    Recording& recording() { return recording_; }
    /// A profile is opened, at the place that a link names; for a script the bar offers to run it.
    void openPath(const QString& text);
    PanelDocks& panels() { return *panels_; }
    Finder& finder() { return *finder_; }
    RunBar& runBar() { return *runBar_; }
    DebugControls& debugBar() { return *debugBar_; }
    CheckCommand& compare() { return *compare_; }
    /// Everything asked for has been loaded and drawn.
    bool isSettled() { return session_.jobs().isIdle(); }

 protected:
    void changeEvent(QEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

 private:
    void makeMenus();
    void makeViewMenu();
    void connectSession();
    void connectRecording();
    void connectDebugging();
    void fillRecent(QMenu& menu);
    void openDialog();
    void openLinkDialog();
    void fillBookmarks(QMenu& menu);
    void saveAs();
    void run(const RecordOptions& options);
    void debug(const RecordOptions& options);
    void showWhatCanRun();
    void setTheme(ThemeChoice choice);
    void setLanguage(LanguageChoice choice);
    void retranslate();
    void about();
    void showSummary();

    Session session_;
    Recording recording_;
    QStackedWidget* stack_;
    StartPage* start_;
    CodeView* preview_;
    QTabWidget* centre_;
    QMenuBar* menus_;
    RunBar* runBar_;
    DebugControls* debugBar_;
    CodeBreaks* previewBreaks_;
    CheckCommand* compare_;
    Breadcrumb* breadcrumb_;
    QLabel* summary_;
    QProgressBar* busy_;
    Finder* finder_;
    QAction* closeAction_ = nullptr;
    QAction* saveAction_ = nullptr;
    QAction* runAction_ = nullptr;
    QAction* stopAction_ = nullptr;
    QString lastError_;
    QTimer retranslation_;
    std::unique_ptr<PanelDocks> panels_;  ///< goes before the session that its panels look at
};

}  // namespace fusescope::gui
