// Panel: all there is to know about the selected thing, with links to what it belongs to.
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTextBrowser>
#include <QVBoxLayout>

#include "gui/app/language.hpp"
#include "gui/app/panel.hpp"
#include "gui/app/session.hpp"
#include "gui/app/theme.hpp"
#include "gui/models/finding_model.hpp"
#include "gui/widgets/format.hpp"
#include "gui/widgets/sheet.hpp"
#include "profiler/query/finding_detail.hpp"
#include "profiler/query/finding_text.hpp"
#include "profiler/query/findings.hpp"
#include "profiler/query/frames.hpp"
#include "profiler/query/graphs.hpp"
#include "profiler/query/op_events.hpp"
#include "profiler/query/op_times.hpp"
#include "profiler/query/stage_graph.hpp"
#include "profiler/query/tensors.hpp"
#include "profiler/query/transfers.hpp"

namespace fusescope::gui {

namespace {

QString str(const std::string& text) { return QString::fromStdString(text); }

QString number(double value) { return QString::number(value, 'g', 6); }

// What several kinds of things need to be described, and the profile they are in.
class Describer {
    Q_DECLARE_TR_FUNCTIONS(Describer)

 public:
    Describer(Database& database, qint64 zero) : database_(database), zero_(zero) {}

    QString describe(const Selection& selection) {
        switch (selection.kind) {
            case Selection::Kind::OpEvent:
                event(selection.id);
                break;
            case Selection::Kind::Node:
                node(selection.id);
                break;
            case Selection::Kind::Line:
                line(selection);
                break;
            case Selection::Kind::OpKind:
                kind(selection.id);
                break;
            case Selection::Kind::Scope:
                scope(selection.id);
                break;
            case Selection::Kind::Transfer:
                transfer(selection.id);
                break;
            case Selection::Kind::Finding:
                finding(selection.id);
                break;
            case Selection::Kind::Graph:
                graph(selection.id);
                break;
            case Selection::Kind::Stage:
            case Selection::Kind::None:
                break;
        }
        return sheet_.html();
    }

 private:
    void lineOf(std::int64_t frame) {
        const auto frames = query::stack(database_, frame);
        for (size_t i = 0; i < frames.size() && i < 12; ++i) {
            const auto& f = frames[i];
            const QString text = QStringLiteral("%1:%2").arg(QFileInfo(str(f.path)).fileName()).arg(f.line);
            sheet_.link(i == 0 ? tr("Line") : tr("called from"),
                        f.function.empty() ? text : text + QStringLiteral("  ") + str(f.function),
                        Selection::sourceLine(f.source_id, static_cast<int>(f.line)));
        }
    }

    void work(std::int64_t ns, bool modelled, std::int64_t bytes, std::int64_t flops, std::int64_t calls = 1) {
        sheet_.row(tr("Time"), durationText(static_cast<double>(ns)) +
                                   (modelled ? tr("  (modelled, not measured)") : QString()) +
                                   (calls > 1 ? tr("  in %1 runs").arg(integerText(calls)) : QString()));
        if (bytes > 0) {
            QString text = bytesText(static_cast<double>(bytes));
            if (ns > 0) {
                text += QStringLiteral("  (%1/s)")
                            .arg(bytesText(static_cast<double>(bytes) * 1e9 / static_cast<double>(ns)));
            }
            sheet_.row(tr("Memory traffic"), text);
        }
        if (flops > 0) {
            QString text = countText(static_cast<double>(flops));
            if (ns > 0) {
                text += QStringLiteral("  (%1FLOP/s)")
                            .arg(countText(static_cast<double>(flops) * 1e9 / static_cast<double>(ns)));
            }
            sheet_.row(tr("FLOPs"), text);
        }
    }

    template <typename Totals>
    void totals(const std::vector<Totals>& rows) {
        for (const auto& row : rows) {
            const bool modelled = row.clock == Clock::modelled;
            work(row.total_ns, modelled, row.bytes(), row.flops, row.calls);
            if (row.calls > 1) {
                sheet_.row(tr("Each"),
                           tr("%1 average, %2 to %3")
                               .arg(durationText(row.mean_ns()), durationText(static_cast<double>(row.min_ns)),
                                    durationText(static_cast<double>(row.max_ns))));
            }
        }
    }

    void json(const std::string& text) {
        const QJsonObject object = QJsonDocument::fromJson(QByteArray::fromStdString(text)).object();
        for (auto it = object.begin(); it != object.end(); ++it) {
            const QJsonValue value = it.value();
            QString shown;
            if (value.isObject()) {
                shown = QString::fromUtf8(QJsonDocument(value.toObject()).toJson(QJsonDocument::Compact));
            } else if (value.isArray()) {
                shown = QString::fromUtf8(QJsonDocument(value.toArray()).toJson(QJsonDocument::Compact));
            } else {
                shown = value.toVariant().toString();
            }
            sheet_.row(it.key(), shown);
        }
    }

    void event(std::int64_t id) {
        const auto e = query::op_event(database_, id);
        if (!e) {
            return;
        }
        sheet_.title(str(e->name), tr("Op event %1").arg(integerText(e->id)));
        work(e->duration_ns, e->clock == Clock::modelled, e->bytes_read + e->bytes_written, e->flops);
        sheet_.row(tr("Start"), durationText(static_cast<double>(e->start_ns - zero_)));
        if (e->launch_ns != e->start_ns) {
            sheet_.row(tr("Waited"), durationText(static_cast<double>(e->start_ns - e->launch_ns)));
        }
        sheet_.row(tr("Mode"), e->mode == "graph" ? tr("graph") : tr("eager"));
        sheet_.row(tr("Device"), tr("%1, stream %2, thread %3").arg(str(e->device)).arg(e->stream).arg(e->thread));
        sheet_.row(tr("Step"), integerText(e->step));
        sheet_.row(tr("Phase"), str(e->phase));
        sheet_.row(tr("Scope"), str(e->scope));
        sheet_.link(tr("All of this op"), str(e->name), Selection::opKind(e->kind_id));
        if (e->node_id != 0) {
            if (const auto n = query::node(database_, e->node_id)) {
                sheet_.link(tr("Node"), str(n->name), Selection::node(n->id));
            }
        }
        lineOf(e->frame_id);
        for (const auto& t : query::tensors_of(database_, id)) {
            sheet_.section(tr("Output %1").arg(t.output));
            sheet_.row(tr("Type"), str(t.dtype) + QStringLiteral(" ") + str(t.shape));
            sheet_.row(
                tr("Health"),
                t.healthy()
                    ? tr("all finite")
                    : tr("%1 NaN, %2 Inf of %3").arg(integerText(t.nan), integerText(t.inf), integerText(t.count)));
            if (t.min && t.max) {
                sheet_.row(tr("Range"), tr("%1 to %2").arg(number(*t.min), number(*t.max)));
            }
            if (t.mean && t.std) {
                sheet_.row(tr("Mean"), tr("%1 ± %2").arg(number(*t.mean), number(*t.std)));
            }
        }
    }

    void node(std::int64_t id) {
        const auto n = query::node(database_, id);
        if (!n) {
            return;
        }
        sheet_.title(str(n->op), tr("Node"));
        sheet_.row(tr("Name"), str(n->name));
        sheet_.row(tr("Type"), (str(n->dtype) + QStringLiteral(" ") + str(n->shape)).trimmed());
        sheet_.row(tr("Scope"), str(n->scope));
        lineOf(n->frame_id);
        if (n->bytes > 0) {
            sheet_.row(tr("Traffic a run"), bytesText(static_cast<double>(n->bytes)));
        }
        if (n->flops > 0) {
            sheet_.row(tr("FLOPs a run"), countText(static_cast<double>(n->flops)));
        }
        query::EventFilter filter;
        filter.node_id = id;
        const auto times = query::times_by_node(database_, filter);
        if (!times.empty()) {
            sheet_.section(tr("As it ran"));
            totals(times);
        }
        const auto inside = query::region(database_, n->stage_id, id);
        if (!inside.nodes.empty()) {
            sheet_.section(tr("Inside"));
            for (const auto& member : inside.nodes) {
                sheet_.link(str(member.op), str(member.name) + QStringLiteral("  ") + str(member.shape),
                            Selection::node(member.id));
            }
        }
        if (n->attributes.size() > 2) {
            sheet_.section(tr("Attributes"));
            json(n->attributes);
        }
    }

    void line(const Selection& selection) {
        query::EventFilter filter;
        filter.source_id = selection.id;
        filter.line = selection.line;
        QString path;
        for (const auto& source : query::sources(database_)) {
            path = source.id == selection.id ? str(source.path) : path;
        }
        sheet_.title(QStringLiteral("%1:%2").arg(QFileInfo(path).fileName()).arg(selection.line), tr("Source line"));
        sheet_.row(tr("File"), path);
        const auto kinds = query::times_by_kind(database_, filter);
        if (kinds.empty()) {
            sheet_.paragraph(tr("No op was issued from this line itself."));
            return;
        }
        totals(query::total_times(database_, filter));
        sheet_.section(tr("Ops issued here"));
        for (const auto& k : kinds) {
            sheet_.link(str(k.name),
                        tr("%1 in %2 runs").arg(durationText(static_cast<double>(k.total_ns)), integerText(k.calls)),
                        Selection::opKind(k.kind_id));
        }
    }

    void kind(std::int64_t id) {
        query::EventFilter filter;
        filter.kind_id = id;
        const auto kinds = query::times_by_kind(database_, filter);
        if (kinds.empty()) {
            return;
        }
        sheet_.title(str(kinds.front().name), tr("Op kind"));
        totals(kinds);
        sheet_.section(tr("Where it is issued"));
        int shown = 0;
        for (const auto& l : query::times_by_line(database_, filter)) {
            if (++shown > 20) {
                break;
            }
            sheet_.link(QStringLiteral("%1:%2").arg(QFileInfo(str(l.path)).fileName()).arg(l.line),
                        tr("%1 in %2 runs").arg(durationText(static_cast<double>(l.total_ns)), integerText(l.calls)),
                        Selection::sourceLine(l.source_id, static_cast<int>(l.line)));
        }
    }

    void scope(std::int64_t id) {
        for (const auto& time : query::times_by_scope(database_)) {
            if (time.scope_id != id) {
                continue;
            }
            sheet_.title(str(time.path), tr("Scope"));
            totals(std::vector{time});
            sheet_.row(tr("With nested"), durationText(static_cast<double>(time.with_nested_ns)));
        }
    }

    void transfer(std::int64_t id) {
        const auto t = query::transfer(database_, id);
        if (!t) {
            return;
        }
        const bool modelled = t->clock == Clock::modelled;
        sheet_.title(t->kind == "h2d"   ? tr("Copy to the device")
                     : t->kind == "d2h" ? tr("Copy to the host")
                                        : tr("Copy on the device"),
                     tr("Transfer %1").arg(integerText(t->id)));
        sheet_.row(tr("Cause"), str(t->reason));
        work(t->duration_ns, modelled, t->bytes, 0);
        sheet_.row(tr("Start"), durationText(static_cast<double>(t->start_ns - zero_)));
        sheet_.row(tr("Host memory"), t->pinned ? tr("page-locked") : tr("pageable"));
        if (t->op_event_id != 0) {
            sheet_.link(tr("Needed by"), tr("op event %1").arg(integerText(t->op_event_id)),
                        Selection::opEvent(t->op_event_id));
        }
        lineOf(t->frame_id);
    }

    void finding(std::int64_t id) {
        const auto f = query::finding(database_, id);
        if (!f) {
            return;
        }
        const auto d = query::parse_finding_detail(f->detail);
        sheet_.title(str(f->kind), tr("Finding: %1").arg(str(f->severity)));
        sheet_.paragraph(findingSentence(*f));
        const std::string advice = isChinese() ? query::finding_advice(f->kind, d, findingLanguage()) : d.advice;
        if (!advice.empty() && f->message.find(advice) == std::string::npos) {
            sheet_.section(tr("What to try"));
            sheet_.paragraph(str(advice));
        }
        if (isChinese()) {
            // The engine's own sentence may tell more than its arguments do.
            sheet_.section(tr("In the profile"));
            sheet_.paragraph(str(f->message));
        }
        sheet_.section(tr("Details"));
        sheet_.row(tr("Op"), str(d.op));
        sheet_.row(tr("Phase"), str(d.phase));
        if (d.step) {
            sheet_.row(tr("Step"), integerText(*d.step));
        }
        if (d.count) {
            sheet_.row(tr("Elements"), integerText(*d.count));
        }
        QStringList index, shapes, inputs;
        for (const auto i : d.index) {
            index << QString::number(i);
        }
        for (const auto& shape : d.shapes) {
            shapes << str(shape);
        }
        for (const auto& input : d.inputs) {
            inputs << str(input);
        }
        sheet_.row(tr("First at"),
                   index.isEmpty() ? QString() : QStringLiteral("(%1)").arg(index.join(QStringLiteral(", "))));
        sheet_.row(tr("Shapes"), shapes.join(QStringLiteral("  ")));
        sheet_.row(tr("Inputs there"), inputs.join(QStringLiteral("  ")));
        if (!d.root_op.empty()) {
            sheet_.row(tr("Cause"),
                       tr("%1 at %2:%3").arg(str(d.root_op), QFileInfo(str(d.root_file)).fileName()).arg(d.root_line));
        }
        if (f->op_event_id != 0) {
            sheet_.link(tr("Op event"), integerText(f->op_event_id), Selection::opEvent(f->op_event_id));
        }
        lineOf(f->frame_id);
    }

    void graph(std::int64_t id) {
        for (const auto& g : query::graphs(database_)) {
            if (g.id != id) {
                continue;
            }
            sheet_.title(str(g.name), tr("Graph"));
            sheet_.row(tr("Signature"), str(g.signature));
            sheet_.row(tr("Compiled in"), durationText(static_cast<double>(g.compile_ns)));
            sheet_.row(tr("Nodes"), tr("%1 captured, %2 in the graph that ran")
                                        .arg(integerText(g.captured_nodes), integerText(g.final_nodes)));
            lineOf(g.frame_id);
            sheet_.section(tr("Passes"));
            for (const auto& s : query::stages(database_, id)) {
                sheet_.row(QStringLiteral("%1  %2").arg(s.ordinal).arg(str(s.pass)),
                           (s.changed ? tr("%1 nodes").arg(integerText(s.nodes)) : tr("no change")) +
                               QStringLiteral("  ") + durationText(static_cast<double>(s.duration_ns)));
            }
        }
    }

    Database& database_;
    qint64 zero_;
    Sheet sheet_;
};

class InspectorPanel : public Panel {
    Q_OBJECT

 public:
    explicit InspectorPanel(Session& session) : Panel(session), text_(new QTextBrowser) {
        auto* column = new QVBoxLayout(this);
        column->setContentsMargins(0, 0, 0, 0);
        column->addWidget(text_);
        text_->setObjectName("inspectorText");
        text_->setOpenLinks(false);
        text_->setFrameShape(QFrame::NoFrame);
        text_->setAccessibleName(tr("Properties of the selection"));
        connect(text_, &QTextBrowser::anchorClicked, this,
                [this](const QUrl& url) { session_.select(Sheet::selectionOf(url.toString())); });
    }

 protected:
    void reload() override { ask(); }

    void clear() override {
        html_.clear();
        text_->clear();
    }

    void showSelection(const Selection&) override { ask(); }

    void changeEvent(QEvent* event) override {
        Panel::changeEvent(event);
        if (event->type() == QEvent::PaletteChange) {
            show(html_);
        }
    }

 private:
    void ask() {
        const Selection selection = session_.selection();
        if (selection.isNone()) {
            session_.jobs().cancel(this, QStringLiteral("describe"));
            show({});
            return;
        }
        session_.jobs().run(
            this, QStringLiteral("describe"),
            [selection, zero = session_.summary().zeroNs](JobContext& context) {
                return Describer(context.database(), zero).describe(selection);
            },
            [this](QString html) { show(html); });
    }

    void show(const QString& html) {
        html_ = html;
        const Theme& t = theme();
        text_->document()->setDefaultStyleSheet(
            QStringLiteral("h3 { margin-top: 0; margin-bottom: 6px; } .kind { color: %1; margin-bottom: 0; }"
                           " .section { color: %1; margin-top: 10px; margin-bottom: 2px; font-weight: 600; }"
                           " .name { color: %1; padding-right: 10px; } a { color: %2; text-decoration: none; }")
                .arg(t.mutedText.name(), t.related.name()));
        if (html.isEmpty()) {
            text_->setHtml(QStringLiteral("<p class='kind'>%1</p>")
                               .arg(tr("Choose a node, an op, a line, a slice or a finding: what is known about it is "
                                       "shown here.")
                                        .toHtmlEscaped()));
        } else {
            text_->setHtml(html);
        }
    }

    QTextBrowser* text_;
    QString html_;
};

}  // namespace

}  // namespace fusescope::gui

namespace fusescope {

gui::PanelDefinition panel_inspector() {
    return {QStringLiteral("inspector"),
            QT_TRANSLATE_NOOP("panel", "Inspector"),
            QStringLiteral("inspector"),
            gui::DockPlace::Right,
            0,
            QKeySequence(Qt::CTRL | Qt::Key_0),
            [](gui::Session& session) { return new gui::InspectorPanel(session); }};
}

}  // namespace fusescope

#include "inspector.moc"
