#include "gui/app/bookmarks.hpp"

#include <algorithm>

#include "gui/app/settings.hpp"

namespace fusescope::gui {

void Bookmarks::setProfile(const QString& path) {
    path_ = path;
    all_.clear();
    removed_.clear();
    const QStringList kept = path.isEmpty() ? QStringList() : settings::bookmarks(path);
    for (qsizetype i = 0; i + 2 < kept.size(); i += 3) {
        all_.push_back({kept[i], kept[i + 1], kept[i + 2]});
    }
    emit changed();
}

int Bookmarks::indexOf(const QString& address) const {
    const auto it = std::find_if(all_.begin(), all_.end(), [&](const Bookmark& b) { return b.address == address; });
    return it == all_.end() ? -1 : static_cast<int>(it - all_.begin());
}

void Bookmarks::toggle(const QString& address, const QString& text) {
    if (const int at = indexOf(address); at >= 0) {
        remove(at);
    } else if (!address.isEmpty()) {
        all_.push_back({address, text, {}});
        keep();
    }
}

void Bookmarks::remove(int index) {
    if (index >= 0 && index < all_.size()) {
        removed_.push_back({index, all_.takeAt(index)});
        keep();
    }
}

void Bookmarks::setNote(int index, const QString& note) {
    if (index >= 0 && index < all_.size() && all_[index].note != note) {
        all_[index].note = note;
        keep();
    }
}

void Bookmarks::restore() {
    if (canRestore()) {
        const auto [index, bookmark] = removed_.takeLast();
        all_.insert(std::min<qsizetype>(index, all_.size()), bookmark);
        keep();
    }
}

void Bookmarks::keep() {
    QStringList kept;
    for (const Bookmark& b : all_) {
        kept << b.address << b.text << b.note;
    }
    settings::saveBookmarks(path_, kept);
    emit changed();
}

}  // namespace fusescope::gui
