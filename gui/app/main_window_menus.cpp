// The menus of the window; its wiring is in main_window.cpp.
#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QInputDialog>
#include <QMenuBar>
#include <QMessageBox>
#include <QStackedWidget>

#include "gui/app/bookmarks.hpp"
#include "gui/app/check_command.hpp"
#include "gui/app/check_run.hpp"
#include "gui/app/finder.hpp"
#include "gui/app/icons.hpp"
#include "gui/app/main_window.hpp"
#include "gui/app/panel_docks.hpp"
#include "gui/app/settings.hpp"
#include "gui/debug/debug_controls.hpp"
#include "gui/debug/debug_session.hpp"
#include "gui/widgets/breadcrumb.hpp"
#include "gui/widgets/run_bar.hpp"
#include "gui/widgets/start_page.hpp"

namespace fusescope::gui {

void MainWindow::makeMenus() {
    // Again, when the language has changed.
    qDeleteAll(menus_->findChildren<QMenu*>(QString(), Qt::FindDirectChildrenOnly));
    QMenu* file = menus_->addMenu(tr("&File"));
    file->addAction(icon("open"), tr("&Open…"), QKeySequence::Open, this, &MainWindow::openDialog);
    QMenu* recent = file->addMenu(tr("Open &Recent"));
    connect(recent, &QMenu::aboutToShow, this, [this, recent] { fillRecent(*recent); });
    saveAction_ = file->addAction(tr("&Save Profile As…"), QKeySequence::SaveAs, this, &MainWindow::saveAs);
    closeAction_ = file->addAction(tr("&Close"), QKeySequence::Close, this, [this] {
        recording_.stop();
        session_.debug().stop();
        session_.check().stop();
        runBar_->dismiss();
        session_.close();
        stack_->setCurrentWidget(start_);
    });
    file->addSeparator();
    file->addAction(tr("&Quit"), QKeySequence::Quit, this, &QWidget::close);

    QMenu* edit = menus_->addMenu(tr("&Go"));
    edit->addAction(tr("&Back"), QKeySequence(Qt::ALT | Qt::Key_Left), &session_, &Session::back);
    edit->addAction(tr("&Forward"), QKeySequence(Qt::ALT | Qt::Key_Right), &session_, &Session::forward);
    edit->addAction(tr("&Select Nothing"), QKeySequence(Qt::Key_Escape), this, [this] { session_.select({}); });
    edit->addSeparator();
    QAction* search = edit->addAction(tr("&Go to Anything…"), finder_, &Finder::openSearch);
    search->setShortcuts({QKeySequence(Qt::CTRL | Qt::Key_P), QKeySequence(Qt::Key_Slash)});
    edit->addAction(tr("&Commands…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P), finder_, &Finder::openCommands);
    edit->addAction(tr("&Find in Panel"), QKeySequence::Find, panels_.get(), &PanelDocks::find);

    edit->addSeparator();
    edit->addAction(tr("Book&mark This Place"), QKeySequence(Qt::CTRL | Qt::Key_D), breadcrumb_,
                    &Breadcrumb::toggleBookmark);
    QMenu* bookmarks = edit->addMenu(tr("Boo&kmarks"));
    connect(bookmarks, &QMenu::aboutToShow, this, [this, bookmarks] { fillBookmarks(*bookmarks); });
    edit->addAction(tr("Copy &Link"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_L), breadcrumb_,
                    &Breadcrumb::copyLink);
    edit->addAction(tr("&Open Link…"), QKeySequence(Qt::CTRL | Qt::Key_L), this, &MainWindow::openLinkDialog);

    QMenu* program = menus_->addMenu(tr("&Run"));
    runAction_ = program->addAction(icon("run"), tr("&Run and Record"), QKeySequence(Qt::CTRL | Qt::Key_F5), runBar_,
                                    &RunBar::start);
    stopAction_ = program->addAction(icon("stop"), tr("&Stop"), QKeySequence(Qt::SHIFT | Qt::Key_F5), runBar_,
                                     &RunBar::stopRequested);
    program->addSeparator();
    compare_->fillMenu(*program);
    runAction_->setEnabled(false);
    stopAction_->setEnabled(recording_.isRunning());
    debugBar_->fillMenu(*menus_->addMenu(tr("&Debug")));
    makeViewMenu();
    QMenu* help = menus_->addMenu(tr("&Help"));
    help->addAction(tr("&About fusescope"), this, &MainWindow::about);
}

void MainWindow::makeViewMenu() {
    QMenu* view = menus_->addMenu(tr("&View"));
    panels_->fillMenu(*view);
    view->addSeparator();
    QMenu* themes = view->addMenu(tr("&Theme"));
    auto* group = new QActionGroup(themes);
    for (const auto& [choice, text] :
         {std::pair(ThemeChoice::System, tr("As the &System")), std::pair(ThemeChoice::Light, tr("&Light")),
          std::pair(ThemeChoice::Dark, tr("&Dark"))}) {
        QAction* action = themes->addAction(text, this, [this, choice = choice] { setTheme(choice); });
        action->setCheckable(true);
        action->setChecked(themeChoice() == choice);
        group->addAction(action);
    }
    QMenu* languages = view->addMenu(tr("&Language"));
    group = new QActionGroup(languages);
    for (const auto& [choice, text] : {std::pair(LanguageChoice::System, tr("As the &System")),
                                       std::pair(LanguageChoice::English, QStringLiteral("&English")),
                                       std::pair(LanguageChoice::Chinese, QStringLiteral("简体中文 (&C)"))}) {
        QAction* action = languages->addAction(text, this, [this, choice = choice] { setLanguage(choice); });
        action->setCheckable(true);
        action->setChecked(languageChoice() == choice);
        action->setObjectName(QStringLiteral("language_") + nameOf(choice));
        group->addAction(action);
    }
    view->addAction(tr("&Reset Layout"), panels_.get(), &PanelDocks::resetLayout);
}

void MainWindow::setTheme(ThemeChoice choice) {
    settings::setTheme(choice);
    applyTheme(choice);
    panels_->refreshIcons();
    breadcrumb_->refresh();
    start_->refresh();
}

void MainWindow::setLanguage(LanguageChoice choice) {
    settings::setLanguage(choice);
    applyLanguage(choice);
}

void MainWindow::fillRecent(QMenu& menu) {
    menu.clear();
    for (const QString& path : settings::recentFiles()) {
        menu.addAction(path, this, [this, path] { openPath(path); });
    }
    menu.addSeparator();
    menu.addAction(tr("&Clear"), this, [this] {
        settings::clearRecentFiles();
        start_->refresh();
    });
}

void MainWindow::fillBookmarks(QMenu& menu) {
    menu.clear();
    for (const Bookmark& bookmark : session_.bookmarks().all()) {
        menu.addAction(bookmark.note.isEmpty() ? bookmark.text : bookmark.note, this,
                       [this, address = bookmark.address] { session_.goTo(address); });
    }
    if (menu.isEmpty()) {
        menu.addAction(tr("None in this profile"))->setEnabled(false);
    }
}

void MainWindow::openLinkDialog() {
    auto* dialog = new QInputDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setObjectName(QStringLiteral("openLink"));
    dialog->setWindowTitle(tr("Open Link"));
    dialog->setLabelText(tr("A link that was copied from a window such as this, or PROFILE#node:NAME:"));
    const QString copied = QApplication::clipboard()->text().trimmed();
    dialog->setTextValue(copied.contains('#') && copied.size() < 2000 && !copied.contains('\n') ? copied : QString());
    dialog->resize(560, dialog->sizeHint().height());
    connect(dialog, &QInputDialog::textValueSelected, this, &MainWindow::openPath);
    dialog->open();
}

void MainWindow::about() {
    QMessageBox::about(this, tr("About fusescope"),
                       tr("<h3>fusescope %1</h3><p>Shows what fusion did to a tensor program, finds the operation that "
                          "broke it, and says where the time went.</p><p>GPL-3.0-or-later. Uses Qt, QCustomPlot, "
                          "QScintilla, Graphviz and SQLite.</p>")
                           .arg(QStringLiteral(FUSESCOPE_VERSION)));
}

}  // namespace fusescope::gui
