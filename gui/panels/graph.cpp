// Panel: a graph before and after, side by side. Choosing a node on one side lights what it came from or went into on
// the other.
#include <QCache>
#include <QComboBox>
#include <QHBoxLayout>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QSplitter>
#include <QVBoxLayout>
#include <memory>

#include "gui/app/panel.hpp"
#include "gui/app/session.hpp"
#include "gui/graph/graph_view.hpp"
#include "gui/widgets/icon_button.hpp"
#include "gui/widgets/search_bar.hpp"
#include "gui/widgets/stage_picker.hpp"
#include "profiler/query/op_times.hpp"
#include "profiler/query/stage_graph.hpp"

namespace fusescope::gui {

namespace {

constexpr int kLayoutsKept = 24;

// A small constant's value, out of its attributes.
QString constantOf(const std::string& attributes) {
    return QJsonDocument::fromJson(QByteArray::fromStdString(attributes)).object().value("value").toString();
}

std::shared_ptr<GraphData> readStage(Database& database, qint64 stage) {
    auto data = std::make_shared<GraphData>();
    data->stage = stage;
    const auto graph = query::stage_graph(database, stage);
    data->nodes.reserve(static_cast<qsizetype>(graph.nodes.size()));
    for (const auto& node : graph.nodes) {
        data->nodes.push_back({node.id, QString::fromStdString(node.name), QString::fromStdString(node.op),
                               QString::fromStdString(node.dtype), QString::fromStdString(node.shape),
                               QString::fromStdString(node.scope), node.parent_id, -1, false,
                               node.op == "Constant" ? constantOf(node.attributes) : QString()});
    }
    data->edges.reserve(static_cast<qsizetype>(graph.edges.size()));
    for (const auto& edge : graph.edges) {
        data->edges.push_back(
            {edge.source, static_cast<int>(edge.source_output), edge.target, static_cast<int>(edge.target_input)});
    }
    data->index();
    return data;
}

struct NodeShare {
    double share = 0;
    bool modelled = false;
};

// Share of each node in the time of its graph; measured and modelled times are summed apart.
QHash<qint64, NodeShare> nodeShares(Database& database, qint64 graph) {
    QHash<qint64, NodeShare> shares;
    double total[2] = {0, 0};
    const auto times = query::times_by_node(database);
    for (const auto& time : times) {
        if (time.graph_id == graph) {
            total[time.clock == Clock::modelled] += static_cast<double>(time.total_ns);
        }
    }
    for (const auto& time : times) {
        const bool modelled = time.clock == Clock::modelled;
        if (time.graph_id == graph && total[modelled] > 0) {
            shares.insert(time.node_id, {static_cast<double>(time.total_ns) / total[modelled], modelled});
        }
    }
    return shares;
}

class GraphPanel : public Panel {
    Q_OBJECT

 public:
    explicit GraphPanel(Session& session);
    void find() override { search_->focus(); }

 protected:
    void reload() override;
    void clear() override;
    void showSelection(const Selection& selection) override;
    void showRelated(const Related& related) override;

 private:
    struct Side {
        GraphView* view = nullptr;
        StagePicker* picker = nullptr;
        qint64 stage = 0;
        std::shared_ptr<GraphData> data;
        QSet<QString> expanded;
        QSet<qint64> related;
        QVector<qint64> found;
        QString layoutKey;
    };

    QWidget* makeSide(int index);
    void showStages();
    void loadTimes();
    void layOutSide(int index, bool keepView);
    void showLayout(int index, const GraphLayout& layout, bool keepView);
    void mark(int index);
    void toggle(int index, const QString& key);
    void search(const QString& text);
    void step(int direction);
    QString keyOf(const Side& side) const;

    GraphPicker* graphs_;
    QComboBox* coloring_;
    SearchBar* search_;
    Side sides_[2];
    QCache<QString, GraphLayout> layouts_{kLayoutsKept};
    QHash<qint64, NodeShare> shares_;
    qint64 sharesOf_ = 0;
    int searchAt_ = -1;
    int clickedSide_ = -1;
};

GraphPanel::GraphPanel(Session& session)
    : Panel(session),
      graphs_(new GraphPicker(session.stages())),
      coloring_(new QComboBox),
      search_(new SearchBar(tr("Find op, node or scope"))) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(6, 4, 6, 4);
    coloring_->addItem(tr("colour: op kind"));
    coloring_->addItem(tr("colour: time"));
    coloring_->setAccessibleName(tr("What the colour of a node tells"));
    auto* fit = new IconButton(QStringLiteral("fit"), tr("Fit both graphs (F)"));
    bar->addWidget(graphs_);
    bar->addWidget(coloring_);
    bar->addStretch(1);
    search_->setMaximumWidth(360);
    bar->addWidget(search_, 2);
    bar->addWidget(fit);
    column->addLayout(bar);
    auto* splitter = new QSplitter(Qt::Horizontal);
    splitter->addWidget(makeSide(0));
    splitter->addWidget(makeSide(1));
    splitter->setChildrenCollapsible(false);
    column->addWidget(splitter, 1);
    connect(fit, &QToolButton::clicked, this, [this] {
        sides_[0].view->fit();
        sides_[1].view->fit();
    });
    connect(coloring_, &QComboBox::currentIndexChanged, this, [this](int choice) {
        for (auto& side : sides_) {
            side.view->graph().setColoring(choice == 0 ? GraphColoring::Kind : GraphColoring::Time);
        }
        loadTimes();
    });
    connect(search_, &SearchBar::textChanged, this, &GraphPanel::search);
    connect(search_, &SearchBar::next, this, [this] { step(1); });
    connect(search_, &SearchBar::previous, this, [this] { step(-1); });
    connect(&session.stages(), &ShownStages::shownChanged, this, &GraphPanel::showStages);
}

QWidget* GraphPanel::makeSide(int index) {
    Side& side = sides_[index];
    auto* holder = new QWidget;
    auto* column = new QVBoxLayout(holder);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(8, 2, 6, 2);
    head->setSpacing(8);
    auto* caption = new QLabel(index == 0 ? tr("Before") : tr("After"));
    QFont bold = caption->font();
    bold.setWeight(QFont::DemiBold);
    caption->setFont(bold);
    side.picker = new StagePicker(session_.stages(), index);
    side.view = new GraphView;
    side.view->setAccessibleName(index == 0 ? tr("Graph before") : tr("Graph after"));
    side.view->setObjectName(index == 0 ? "graphBefore" : "graphAfter");
    head->addWidget(caption);
    head->addWidget(side.picker, 1);
    column->addLayout(head);
    column->addWidget(side.view, 1);
    connect(side.view, &GraphView::nodeClicked, this, [this, index](qint64 node) {
        clickedSide_ = index;
        session_.select(Selection::node(node));
    });
    connect(side.view, &GraphView::backgroundClicked, this, [this] { session_.select({}); });
    connect(side.view, &GraphView::boxToggled, this, [this, index](const QString& key) { toggle(index, key); });
    return holder;
}

void GraphPanel::reload() { showStages(); }

void GraphPanel::clear() {
    layouts_.clear();
    shares_.clear();
    sharesOf_ = 0;
    for (int i = 0; i < 2; ++i) {
        sides_[i].view->graph().clearAll();
        sides_[i].view->setMessage({});
        sides_[i].view->setNotice({});
        sides_[i].data.reset();
        sides_[i].stage = 0;
        sides_[i].expanded.clear();
        sides_[i].related.clear();
    }
}

void GraphPanel::showStages() {
    if (!session_.hasProfile()) {
        return;
    }
    const ShownStages& shown = session_.stages();
    for (int i = 0; i < 2; ++i) {
        Side& side = sides_[i];
        const qint64 stage = shown.shown(i);
        if (stage == 0) {
            side.view->graph().clearAll();
            side.data.reset();
            side.stage = 0;
            side.view->setMessage(shown.isLoading() ? QString()
                                  : i == 0 ? tr("No graph was compiled in this run.\nPrograms compile graphs in graph "
                                                "mode and under @jit.")
                                           : QString());
            continue;
        }
        if (side.stage == stage) {
            continue;
        }
        side.stage = stage;
        side.data.reset();
        side.expanded.clear();
        side.related.clear();
        side.view->setMessage(tr("Laying out…"));
        session_.jobs().run(
            this, QStringLiteral("stage %1").arg(i),
            [stage](JobContext& context) { return readStage(context.database(), stage); },
            [this, i, stage](std::shared_ptr<GraphData> data) {
                if (sides_[i].stage != stage) {
                    return;
                }
                sides_[i].data = std::move(data);
                loadTimes();
                layOutSide(i, false);
            },
            [this, i](const QString& error) { sides_[i].view->setMessage(error); });
    }
}

void GraphPanel::loadTimes() {
    const qint64 graph = session_.stages().graph();
    const auto apply = [this] {
        for (auto& side : sides_) {
            if (!side.data) {
                continue;
            }
            for (auto& node : side.data->nodes) {
                const auto it = shares_.constFind(node.id);
                node.timeShare = it == shares_.constEnd() ? -1 : it->share;
                node.modelled = it != shares_.constEnd() && it->modelled;
            }
            side.view->graph().setColoring(coloring_->currentIndex() == 0 ? GraphColoring::Kind : GraphColoring::Time);
        }
    };
    if (sharesOf_ == graph && !session_.isLive()) {
        apply();
        return;
    }
    session_.jobs().run(
        this, QStringLiteral("times"), [graph](JobContext& context) { return nodeShares(context.database(), graph); },
        [this, graph, apply](QHash<qint64, NodeShare> shares) {
            shares_ = std::move(shares);
            sharesOf_ = graph;
            apply();
        });
}

QString GraphPanel::keyOf(const Side& side) const {
    QStringList open(side.expanded.begin(), side.expanded.end());
    open.sort();
    return QStringLiteral("%1|%2").arg(side.stage).arg(open.join('|'));
}

void GraphPanel::layOutSide(int index, bool keepView) {
    Side& side = sides_[index];
    const QString key = keyOf(side);
    side.layoutKey = key;
    if (const GraphLayout* known = layouts_.object(key)) {
        showLayout(index, GraphLayout(*known), keepView);
        return;
    }
    session_.jobs().run(
        this, QStringLiteral("layout %1").arg(index),
        // A copy: the panel writes time shares into its own while the layout thread reads.
        [data = *side.data, expanded = side.expanded](JobContext&) { return layOut(makeVisible(data, expanded)); },
        [this, index, key, keepView](GraphLayout layout) {
            layouts_.insert(key, new GraphLayout(layout));
            if (sides_[index].layoutKey == key) {
                showLayout(index, layout, keepView);
            }
        },
        [this, index](const QString& error) { sides_[index].view->setMessage(error); }, Jobs::Lane::Layout);
}

void GraphPanel::showLayout(int index, const GraphLayout& layout, bool keepView) {
    Side& side = sides_[index];
    side.view->graph().show(side.data, layout);
    side.view->setMessage(layout.graph.boxes.isEmpty() ? tr("This stage has no nodes.") : QString());
    side.view->setNotice(
        layout.graph.grouped
            ? tr("%L1 nodes are too many to draw at once: they are grouped. Double-click a group to open it.")
                  .arg(layout.graph.nodeCount)
            : QString());
    if (!keepView) {
        side.view->showStart();
    }
    mark(index);
    if (!search_->text().isEmpty()) {
        search(search_->text());
    }
}

void GraphPanel::toggle(int index, const QString& key) {
    Side& side = sides_[index];
    if (!side.data) {
        return;
    }
    if (!side.expanded.remove(key)) {
        side.expanded.insert(key);
    }
    layOutSide(index, true);
}

void GraphPanel::showSelection(const Selection& selection) {
    for (int i = 0; i < 2; ++i) {
        sides_[i].related.clear();
        if (selection.kind == Selection::Kind::Node) {
            sides_[i].related.insert(selection.id);
        }
        mark(i);
    }
}

void GraphPanel::showRelated(const Related& related) {
    const Selection of = related.of;
    if (of.isNone()) {
        return;
    }
    const int clicked = std::exchange(clickedSide_, -1);
    for (int i = 0; i < 2; ++i) {
        const qint64 stage = session_.stages().shown(i);
        if (stage == 0) {
            continue;
        }
        session_.jobs().run(
            this, QStringLiteral("related %1").arg(i),
            [stage, of](JobContext& context) {
                QSet<qint64> nodes;
                for (const auto id : query::Relations(context.database()).nodes(placeOf(of), stage)) {
                    nodes.insert(id);
                }
                return nodes;
            },
            [this, i, of, clicked](QSet<qint64> nodes) {
                if (session_.selection() != of) {
                    return;
                }
                sides_[i].related = std::move(nodes);
                mark(i);
                if (i != clicked) {
                    // The side that was clicked stays as it is; the other shows the first counterpart.
                    qint64 first = 0;
                    for (const qint64 id : std::as_const(sides_[i].related)) {
                        first = first == 0 ? id : std::min(first, id);
                    }
                    if (of.kind == Selection::Kind::Node && sides_[i].data && sides_[i].data->find(of.id)) {
                        first = of.id;
                    }
                    sides_[i].view->reveal(first);
                }
            });
    }
}

void GraphPanel::mark(int index) {
    const Selection& selection = session_.selection();
    Side& side = sides_[index];
    const bool here = selection.kind == Selection::Kind::Node && side.data && side.data->find(selection.id);
    side.view->graph().setMarks(here ? selection.id : 0, side.related);
}

void GraphPanel::search(const QString& text) {
    int total = 0;
    for (auto& side : sides_) {
        side.found = side.view->graph().matches(text);
        total += static_cast<int>(side.found.size());
    }
    searchAt_ = -1;
    search_->setPosition(-1, total);
}

void GraphPanel::step(int direction) {
    const int counts[2] = {static_cast<int>(sides_[0].found.size()), static_cast<int>(sides_[1].found.size())};
    const int total = counts[0] + counts[1];
    if (total == 0) {
        return;
    }
    searchAt_ = (searchAt_ + direction + (searchAt_ < 0 && direction < 0 ? 1 : 0) + total) % total;
    const int side = searchAt_ < counts[0] ? 0 : 1;
    const qint64 node = sides_[side].found[side == 0 ? searchAt_ : searchAt_ - counts[0]];
    search_->setPosition(searchAt_, total);
    if (const BoxItem* box = sides_[side].view->graph().boxOf(node);
        box && box->box().node != node && sides_[side].data) {
        sides_[side].expanded = keysAround(*sides_[side].data, sides_[side].expanded, node);
        layOutSide(side, true);
    }
    session_.select(Selection::node(node));
    sides_[side].view->reveal(node);
}

}  // namespace

}  // namespace fusescope::gui

namespace fusescope {

gui::PanelDefinition panel_graph() {
    return {QStringLiteral("graph"),
            QT_TRANSLATE_NOOP("panel", "Graph"),
            QStringLiteral("graph"),
            gui::DockPlace::Center,
            0,
            QKeySequence(Qt::CTRL | Qt::Key_1),
            [](gui::Session& session) { return new gui::GraphPanel(session); }};
}

}  // namespace fusescope

#include "graph.moc"
