// Places of a profile that the user wants to come back to, kept for each profile between starts.
#pragma once

#include <QObject>
#include <QString>
#include <QVector>

namespace fusescope::gui {

struct Bookmark {
    QString address;  ///< as in a link
    QString text;     ///< what it was called when it was set
    QString note;     ///< of the user
};

class Bookmarks : public QObject {
    Q_OBJECT

 public:
    using QObject::QObject;

    /// Those of another profile; an empty path for none.
    void setProfile(const QString& path);
    const QVector<Bookmark>& all() const { return all_; }
    int indexOf(const QString& address) const;
    /// Sets the place's bookmark, or removes it.
    void toggle(const QString& address, const QString& text);
    void remove(int index);
    void setNote(int index, const QString& note);
    /// Brings back what was removed last.
    bool canRestore() const { return !removed_.isEmpty(); }
    void restore();

 signals:
    void changed();

 private:
    void keep();

    QString path_;
    QVector<Bookmark> all_;
    QVector<QPair<int, Bookmark>> removed_;
};

}  // namespace fusescope::gui
