// What the window shows when nothing is open: open a file, recent ones, example programs.
#pragma once

#include <QScrollArea>
#include <QStringList>

class QVBoxLayout;

namespace fusescope::gui {

class StartPage : public QScrollArea {
    Q_OBJECT

 public:
    explicit StartPage(QWidget* parent = nullptr);

    /// Reads the recent files and examples again.
    void refresh();
    /// Directory of the example programs: installed, else of the source tree; empty when there is none.
    static QString examplesDirectory();

 signals:
    void openRequested();
    void fileChosen(const QString& path);

 private:
    void addHeading(QVBoxLayout* column, const QString& text);
    void addLink(QVBoxLayout* column, const QString& title, const QString& note, const QString& path);
};

}  // namespace fusescope::gui
