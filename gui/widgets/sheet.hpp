// A property sheet as rich text: headings, rows of name and value, and links that select things.
#pragma once

#include <QString>

#include "gui/app/selection.hpp"

namespace fusescope::gui {

class Sheet {
 public:
    void title(const QString& text, const QString& kind);
    void section(const QString& text);
    /// Leaves the row out when the value is empty.
    void row(const QString& name, const QString& value);
    void link(const QString& name, const QString& value, const Selection& target);
    /// Text of several lines, in a fixed font.
    void block(const QString& text);
    void paragraph(const QString& text);
    QString html() const;

    /// The address that link() writes for a selection, and back.
    static QString address(const Selection& selection);
    static Selection selectionOf(const QString& address);

 private:
    void openTable();
    void closeTable();

    QString body_;
    bool inTable_ = false;
};

}  // namespace fusescope::gui
