// Where one is: back and forward, the way from the outermost to the selected thing, its bookmark and its link.
#pragma once

#include <QHBoxLayout>
#include <QToolButton>
#include <QWidget>

#include "gui/models/place.hpp"

namespace fusescope::gui {

class Session;

class Breadcrumb : public QWidget {
    Q_OBJECT

 public:
    explicit Breadcrumb(Session& session, QWidget* parent = nullptr);

    /// The selected thing; without crumbs while that is being found out, and when nothing is selected.
    const Place& place() const { return place_; }
    /// The names, outermost first.
    QStringList texts() const;
    void toggleBookmark();
    /// Into the clipboard.
    void copyLink();
    /// Everything again, in the language and theme of now.
    void refresh();

 private:
    void ask();
    void show(const Place& place);
    void showButtons();

    Session& session_;
    Place place_;
    QToolButton* back_;
    QToolButton* forward_;
    QToolButton* bookmark_;
    QToolButton* link_;
    QWidget* crumbs_;
};

}  // namespace fusescope::gui
