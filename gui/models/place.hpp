// What a selected thing is called, where it lies, and how it is written in a link.
#pragma once

#include <QString>
#include <QVector>

#include "gui/app/selection.hpp"

namespace fusescope {
class Database;
}

namespace fusescope::gui {

struct Crumb {
    QString text;
    Selection target;
};

struct Place {
    Selection of;
    QVector<Crumb> crumbs;  ///< outermost first, the thing itself last; empty when it is not in the profile
    QString address;        ///< "node:17", "line:train.py:12", "op:MatMul": what thingAt() takes
};

/// Worker threads.
Place placeNamed(Database& database, const Selection& selection);

/// The thing of that address: a kind of thing, a colon, and its number or its name. Files are named by their last
/// parts, nodes by the graph that ran before those that are gone. None when there is no such thing. Worker threads.
Selection thingAt(Database& database, const QString& address);

/// A profile and, after "#", an address in it: "fusescope:///home/me/run.fscope#node:17", or a path instead of the
/// address of the file.
struct Link {
    QString profile;
    QString address;
};
QString linkText(const QString& profile, const QString& address);
/// Takes links and plain paths; a file whose own name has a "#" is taken for a file.
Link linkOf(const QString& text);

}  // namespace fusescope::gui
