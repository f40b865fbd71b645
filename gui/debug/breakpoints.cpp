#include "gui/debug/breakpoints.hpp"

#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>

#include "gui/app/settings.hpp"

namespace fusescope::gui {

namespace {

constexpr qsizetype kMostHits = 1000;  // that are listed of one watchpoint
constexpr const char* kWords[] = {"line", "function", "watch", "data"};
constexpr Breakpoint::Kind kKinds[] = {Breakpoint::Kind::Line, Breakpoint::Kind::Function, Breakpoint::Kind::Watch,
                                       Breakpoint::Kind::Data};

const char* wordOf(Breakpoint::Kind kind) { return kWords[static_cast<int>(kind)]; }

QJsonObject jsonOf(const Breakpoint& b) {
    return {{"kind", wordOf(b.kind)},
            {"enabled", b.enabled},
            {"path", b.path},
            {"line", b.line},
            {"text", b.text},
            {"condition", b.condition},
            {"hitCondition", b.hitCondition},
            {"logMessage", b.logMessage}};
}

Breakpoint breakpointOf(const QJsonObject& json) {
    Breakpoint b;
    const QString word = json["kind"].toString();
    for (const auto kind : kKinds) {
        b.kind = word == QLatin1String(wordOf(kind)) ? kind : b.kind;
    }
    b.enabled = json["enabled"].toBool(true);
    b.path = json["path"].toString();
    b.line = json["line"].toInt();
    b.text = json["text"].toString();
    b.condition = json["condition"].toString();
    b.hitCondition = json["hitCondition"].toString();
    b.logMessage = json["logMessage"].toString();
    return b;
}

bool means(const Breakpoint& b) { return b.kind == Breakpoint::Kind::Line ? b.line > 0 : !b.text.isEmpty(); }

}  // namespace

Breakpoints::Breakpoints(QObject* parent) : QObject(parent) {}

QVector<ExceptionFilter> Breakpoints::knownFilters() {
    return {
        {"uncaught", tr("Exceptions that end the program"), tr("Stop when the program is about to end by one.")},
        {"raised", tr("All Python exceptions"), tr("Stop where an exception is raised, caught or not.")},
        {"shape", tr("Shape, dtype and index errors"), tr("Stop at the op that refuses its operands.")},
        {"nan", tr("NaN is born"), tr("Stop after the op that makes a NaN of operands without one.")},
        {"inf", tr("Infinity is born"), tr("Stop after the op that makes an Inf of finite operands.")},
    };
}

void Breakpoints::setScript(const QString& script) {
    if (script == script_) {
        return;
    }
    script_ = script;
    all_.clear();
    filters_ = {QStringLiteral("uncaught")};
    const QJsonObject kept = QJsonDocument::fromJson(settings::breakpoints(script)).object();
    for (const QJsonValue& each : kept["breakpoints"].toArray()) {
        Breakpoint b = breakpointOf(each.toObject());
        if (means(b)) {
            b.key = ++lastKey_;
            all_.push_back(b);
        }
    }
    if (kept.contains("filters")) {
        filters_.clear();
        for (const QJsonValue& each : kept["filters"].toArray()) {
            filters_.insert(each.toString());
        }
    }
    emit changed();
}

int Breakpoints::indexOf(const QString& path, int line) const {
    for (int i = 0; i < all_.size(); ++i) {
        if (all_[i].kind == Breakpoint::Kind::Line && all_[i].line == line && all_[i].path == path) {
            return i;
        }
    }
    return -1;
}

void Breakpoints::toggleLine(const QString& path, int line) {
    const int at = indexOf(path, line);
    if (at >= 0) {
        remove(at);
        return;
    }
    Breakpoint b;
    b.path = path;
    b.line = line;
    add(b);
}

int Breakpoints::add(const Breakpoint& breakpoint) {
    if (!means(breakpoint)) {
        return -1;
    }
    all_.push_back(breakpoint);
    all_.back().key = ++lastKey_;
    save();
    emit wanted(breakpoint.kind);
    emit changed();
    return static_cast<int>(all_.size()) - 1;
}

void Breakpoints::replace(int index, const Breakpoint& breakpoint) {
    if (index < 0 || index >= all_.size()) {
        return;
    }
    if (!means(breakpoint)) {
        remove(index);
        return;
    }
    const int key = all_[index].key;
    all_[index] = breakpoint;
    all_[index].key = key;
    save();
    emit wanted(breakpoint.kind);
    emit changed();
}

void Breakpoints::remove(int index) {
    if (index < 0 || index >= all_.size()) {
        return;
    }
    const auto kind = all_[index].kind;
    all_.removeAt(index);
    save();
    emit wanted(kind);
    emit changed();
}

void Breakpoints::removeAll() {
    if (all_.isEmpty()) {
        return;
    }
    all_.clear();
    save();
    for (const auto kind : kKinds) {
        emit wanted(kind);
    }
    emit changed();
}

void Breakpoints::setFilter(const QString& id, bool on) {
    if (on == filters_.contains(id)) {
        return;
    }
    if (on) {
        filters_.insert(id);
    } else {
        filters_.remove(id);
    }
    save();
    emit filtersWanted();
    emit changed();
}

void Breakpoints::setPlaced(int key, int id, bool placed, int line, const QString& message) {
    const auto at = std::find_if(all_.begin(), all_.end(), [key](const Breakpoint& b) { return b.key == key; });
    if (at == all_.end()) {
        return;  // removed meanwhile
    }
    Breakpoint& b = *at;
    b.hitsBefore = b.hits;
    b.listBefore = b.list;
    b.id = id;
    b.placed = placed;
    b.message = message;
    if (b.kind == Breakpoint::Kind::Line && line > 0 && line != b.line && indexOf(b.path, line) < 0) {
        b.line = line;  // a line without code: it stands on the next that has some
        save();
    }
    emit changed();
}

void Breakpoints::setHits(int id, qint64 hits, const QVector<WatchHit>& list) {
    for (Breakpoint& b : all_) {
        if (b.id != id || b.id == 0) {
            continue;
        }
        QVector<WatchHit> whole = list.isEmpty() ? b.list : b.listBefore + list;
        whole.remove(0, std::max<qsizetype>(0, whole.size() - kMostHits));
        if (b.hits != b.hitsBefore + hits || b.list != whole) {
            b.hits = b.hitsBefore + hits;
            b.list = std::move(whole);
            emit changed();
        }
    }
}

void Breakpoints::forgetPlaces() {
    for (Breakpoint& b : all_) {
        b.id = 0;
        b.placed = false;
        b.message.clear();
    }
    emit changed();
}

void Breakpoints::forgetHits() {
    for (Breakpoint& b : all_) {
        b.hits = b.hitsBefore = 0;
        b.list.clear();
        b.listBefore.clear();
    }
    emit changed();
}

void Breakpoints::save() const {
    if (script_.isEmpty()) {
        return;
    }
    QJsonArray list, filters;
    for (const Breakpoint& b : all_) {
        list.append(jsonOf(b));
    }
    for (const QString& id : filters_) {
        filters.append(id);
    }
    settings::saveBreakpoints(
        script_,
        QJsonDocument(QJsonObject{{"breakpoints", list}, {"filters", filters}}).toJson(QJsonDocument::Compact));
}

}  // namespace fusescope::gui
