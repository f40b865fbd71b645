// HTML that QTextBrowser understands. Everything from the profile is escaped: it is data.
#include "gui/widgets/sheet.hpp"

#include <QStringList>

namespace fusescope::gui {

void Sheet::title(const QString& text, const QString& kind) {
    closeTable();
    body_ += QStringLiteral("<p class='kind'>%1</p><h3>%2</h3>").arg(kind.toHtmlEscaped(), text.toHtmlEscaped());
}

void Sheet::section(const QString& text) {
    closeTable();
    body_ += QStringLiteral("<p class='section'>%1</p>").arg(text.toHtmlEscaped());
}

void Sheet::row(const QString& name, const QString& value) {
    if (!value.isEmpty()) {
        openTable();
        body_ += QStringLiteral("<tr><td class='name'>%1</td><td>%2</td></tr>")
                     .arg(name.toHtmlEscaped(), value.toHtmlEscaped().replace('\n', QStringLiteral("<br/>")));
    }
}

void Sheet::link(const QString& name, const QString& value, const Selection& target) {
    if (!value.isEmpty()) {
        openTable();
        body_ += QStringLiteral("<tr><td class='name'>%1</td><td><a href='%2'>%3</a></td></tr>")
                     .arg(name.toHtmlEscaped(), address(target), value.toHtmlEscaped());
    }
}

void Sheet::block(const QString& text) {
    closeTable();
    body_ += QStringLiteral("<pre>%1</pre>").arg(text.toHtmlEscaped());
}

void Sheet::paragraph(const QString& text) {
    closeTable();
    body_ += QStringLiteral("<p>%1</p>").arg(text.toHtmlEscaped().replace('\n', QStringLiteral("<br/>")));
}

QString Sheet::html() const { return body_ + (inTable_ ? QStringLiteral("</table>") : QString()); }

void Sheet::openTable() {
    if (!inTable_) {
        body_ += QStringLiteral("<table cellspacing='0' cellpadding='2'>");
        inTable_ = true;
    }
}

void Sheet::closeTable() {
    if (inTable_) {
        body_ += QStringLiteral("</table>");
        inTable_ = false;
    }
}

QString Sheet::address(const Selection& selection) {
    return QStringLiteral("select:%1/%2/%3")
        .arg(static_cast<int>(selection.kind))
        .arg(selection.id)
        .arg(selection.line);
}

Selection Sheet::selectionOf(const QString& address) {
    const QStringList parts = address.section(':', 1).split('/');
    Selection selection;
    const int kind = parts.value(0).toInt();
    if (parts.size() == 3 && kind > 0 && kind <= static_cast<int>(Selection::Kind::Graph)) {
        selection.kind = static_cast<Selection::Kind>(kind);
        selection.id = parts[1].toLongLong();
        selection.line = parts[2].toInt();
    }
    return selection;
}

}  // namespace fusescope::gui
