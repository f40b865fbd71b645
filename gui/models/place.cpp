#include "gui/models/place.hpp"

#include <QCoreApplication>
#include <QFileInfo>
#include <QUrl>

#include "gui/models/finding_model.hpp"
#include "profiler/query/findings.hpp"
#include "profiler/query/frames.hpp"
#include "profiler/query/graphs.hpp"
#include "profiler/query/op_events.hpp"
#include "profiler/query/search.hpp"
#include "profiler/query/stage_graph.hpp"
#include "profiler/query/transfers.hpp"

namespace fusescope::gui {

namespace {

using Kind = Selection::Kind;

// Words of addresses. They are a format: links that were written once go on working.
const std::pair<Kind, const char*> kWords[] = {
    {Kind::OpEvent, "event"},   {Kind::OpKind, "op"},   {Kind::Node, "node"},
    {Kind::Line, "line"},       {Kind::Scope, "scope"}, {Kind::Transfer, "transfer"},
    {Kind::Finding, "finding"}, {Kind::Stage, "stage"}, {Kind::Graph, "graph"},
};

QString wordOf(Kind kind) {
    for (const auto& [each, word] : kWords) {
        if (each == kind) {
            return QString::fromLatin1(word);
        }
    }
    return {};
}

// Of the thing that an address names; None when it is no address.
Kind kindOf(const QString& address) {
    for (const auto& [each, word] : kWords) {
        if (address.startsWith(QLatin1String(word) + QLatin1Char(':'))) {
            return each;
        }
    }
    return Kind::None;
}

QString str(const std::string& text) { return QString::fromStdString(text); }

// Finds the names on the way from the outermost to a thing.
class Namer {
    Q_DECLARE_TR_FUNCTIONS(Namer)

 public:
    explicit Namer(Database& database) : database_(database) {}

    Place name(const Selection& selection) {
        place_.of = selection;
        address(QString::number(selection.id));
        switch (selection.kind) {
            case Kind::OpEvent:
                event(selection.id);
                break;
            case Kind::OpKind:
                op(selection.id);
                break;
            case Kind::Node:
                node(selection.id);
                break;
            case Kind::Line:
                line(selection.id, selection.line);
                break;
            case Kind::Scope:
                scope(selection.id);
                break;
            case Kind::Transfer:
                transfer(selection.id);
                break;
            case Kind::Finding:
                finding(selection.id);
                break;
            case Kind::Stage:
                stage(selection.id);
                break;
            case Kind::Graph:
                graph(selection.id);
                break;
            case Kind::None:
                break;
        }
        if (place_.crumbs.isEmpty()) {
            place_.address.clear();
        }
        return place_;
    }

 private:
    void add(const QString& text, const Selection& target) { place_.crumbs.push_back({text, target}); }
    void address(const QString& rest) { place_.address = wordOf(place_.of.kind) + ':' + rest; }

    void event(qint64 id) {
        const auto e = query::op_event(database_, id);
        if (!e) {
            return;
        }
        lineOfFrame(e->frame_id);
        if (e->scope_id != 0) {
            add(str(e->scope), Selection::scope(e->scope_id));
        }
        if (e->node_id != 0) {
            if (const auto n = query::node(database_, e->node_id)) {
                add(str(n->name), Selection::node(e->node_id));
            }
        }
        add(tr("%1 no. %2").arg(str(e->name)).arg(id), Selection::opEvent(id));
    }

    void op(qint64 id) {
        for (const auto& kind : query::op_kinds(database_)) {
            if (kind.id == id) {
                add(tr("all %1").arg(str(kind.name)), Selection::opKind(id));
                address(str(kind.name));
            }
        }
    }

    void node(qint64 id) {
        const auto n = query::node(database_, id);
        if (!n) {
            return;
        }
        stage(n->stage_id);
        if (n->parent_id != 0) {
            if (const auto parent = query::node(database_, n->parent_id)) {
                add(str(parent->name), Selection::node(parent->id));
            }
        }
        add(str(n->name), Selection::node(id));
    }

    void line(qint64 source, int number) {
        for (const auto& each : query::sources(database_)) {
            if (each.id == source) {
                const QString file = QFileInfo(str(each.path)).fileName();
                add(tr("%1, line %2").arg(file).arg(number), Selection::sourceLine(source, number));
                if (place_.of.kind == Kind::Line) {
                    address(QStringLiteral("%1:%2").arg(str(each.path)).arg(number));
                }
            }
        }
    }

    void lineOfFrame(qint64 frame) {
        if (const auto f = query::frame(database_, frame)) {
            line(f->source_id, static_cast<int>(f->line));
        }
    }

    void scope(qint64 id) {
        for (const auto& each : query::scopes(database_)) {
            if (each.id == id) {
                add(str(each.path), Selection::scope(id));
                address(str(each.path));
            }
        }
    }

    void transfer(qint64 id) {
        if (const auto t = query::transfer(database_, id)) {
            lineOfFrame(t->frame_id);
            add(tr("transfer no. %1").arg(id), Selection::transfer(id));
        }
    }

    void finding(qint64 id) {
        if (const auto f = query::finding(database_, id)) {
            lineOfFrame(f->frame_id);
            add(findingSentence(*f).section('\n', 0, 0), Selection::finding(id));
        }
    }

    void stage(qint64 id) {
        for (const auto& g : query::graphs(database_)) {
            for (const auto& s : query::stages(database_, g.id)) {
                if (s.id == id) {
                    add(str(g.name), Selection::graph(g.id));
                    add(tr("after %1").arg(str(s.pass)), Selection::stage(id));
                    return;
                }
            }
        }
    }

    void graph(qint64 id) {
        for (const auto& g : query::graphs(database_)) {
            if (g.id == id) {
                lineOfFrame(g.frame_id);
                add(tr("graph %1").arg(str(g.name)), Selection::graph(id));
            }
        }
    }

    Database& database_;
    Place place_;
};

// The first thing of that name, whatever follows the name after " · ".
Selection named(Database& database, Kind kind, query::SearchIn in, const std::string& name) {
    const auto match = [&](std::string_view text) {
        return text == name || (text.starts_with(name) && text.substr(name.size()).starts_with(" · "));
    };
    for (const auto& hit : query::search(database, in, match, 1)) {
        return {kind, hit.place.id, 0, {}};
    }
    return {};
}

}  // namespace

Place placeNamed(Database& database, const Selection& selection) { return Namer(database).name(selection); }

Selection thingAt(Database& database, const QString& address) {
    const Kind kind = kindOf(address);
    const QString rest = address.section(':', 1);
    bool number = false;
    const qint64 id = rest.toLongLong(&number);
    const std::string name = rest.toStdString();
    Selection selection;
    switch (kind) {
        case Kind::OpKind:
            selection = named(database, kind, query::SearchIn::ops, name);
            break;
        case Kind::Scope:
            selection = named(database, kind, query::SearchIn::scopes, name);
            break;
        case Kind::Node:
            selection = number ? Selection::node(id) : named(database, kind, query::SearchIn::nodes, name);
            break;
        case Kind::Graph:
            selection = number ? Selection::graph(id) : named(database, kind, query::SearchIn::graphs, name);
            break;
        case Kind::Line: {
            const QString path = rest.section(':', 0, -2);
            const int line = rest.section(':', -1).toInt();
            for (const auto& source : query::sources(database)) {
                const QString full = str(source.path);
                if (line > 0 && !path.isEmpty() && (full == path || full.endsWith('/' + path))) {
                    selection = Selection::sourceLine(source.id, line);
                    break;
                }
            }
            break;
        }
        case Kind::None:
            break;
        default:
            selection = number ? Selection{kind, id, 0, {}} : Selection();
    }
    // A number may be that of nothing.
    return selection.isNone() || placeNamed(database, selection).crumbs.isEmpty() ? Selection() : selection;
}

QString linkText(const QString& profile, const QString& address) {
    QUrl url;
    url.setPath(QFileInfo(profile).absoluteFilePath());
    url.setFragment(address);
    return QStringLiteral("fusescope://") + url.toString(QUrl::FullyEncoded);
}

Link linkOf(const QString& text) {
    const QString trimmed = text.trimmed();
    if (trimmed.startsWith(QStringLiteral("fusescope:"))) {
        const QUrl url(trimmed);
        return {url.path(QUrl::FullyDecoded), url.fragment(QUrl::FullyDecoded)};
    }
    const auto hash = text.lastIndexOf('#');
    if (hash < 0 || QFileInfo::exists(text)) {
        return {text, {}};
    }
    const QString address = text.mid(hash + 1).trimmed();
    return kindOf(address) == Kind::None ? Link{text, {}} : Link{text.left(hash).trimmed(), address};
}

}  // namespace fusescope::gui
