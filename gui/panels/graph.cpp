// Panel: a graph before and after, side by side or as one. Choosing a node on one side lights what it came from or went
// into on the other.
#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <memory>

#include "gui/app/panel.hpp"
#include "gui/app/session.hpp"
#include "gui/app/settings.hpp"
#include "gui/graph/graph_export.hpp"
#include "gui/graph/graph_pane.hpp"
#include "gui/graph/graph_sync.hpp"
#include "gui/graph/stage_reader.hpp"
#include "gui/widgets/icon_button.hpp"
#include "gui/widgets/search_bar.hpp"
#include "gui/widgets/stage_picker.hpp"

namespace fusescope::gui {

namespace {

constexpr int kPanes = 3;  // before, after, and both in one
constexpr int kMerged = 2;

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
        GraphPane* pane = nullptr;
        QSet<qint64> related;
        QVector<qint64> found;
        Selection clicked;  ///< what was chosen here with the mouse
    };

    QWidget* makeBar();
    QWidget* makeSide(int index);
    QWidget* makeMerged();
    void connectPane(int index);
    void fillMenu(QMenu& menu);
    QAction* addOption(QMenu& menu, const QString& text, const char* name, bool otherwise,
                       std::function<void(bool)> changed);
    void showStages();
    void loadFacts();
    void applyOptions();
    void setMerged(bool merged);
    void relate(int index);
    void mark(int index);
    void search(const QString& text);
    void step(int direction);
    void follow(Follow direction);
    void save();
    GraphPane& focused();
    bool isShown(int index) const { return (index == kMerged) == (pages_->currentIndex() == 1); }

    GraphPicker* graphs_;
    QComboBox* mode_;
    QComboBox* coloring_;
    SearchBar* search_;
    QStackedWidget* pages_;
    QMenu* menu_;
    Side sides_[kPanes];
    GraphSync* sync_;
    TreeOptions options_;
    int lastPane_ = 1;
    int searchAt_ = -1;
};

GraphPanel::GraphPanel(Session& session) : Panel(session) {
    for (int i = 0; i < kPanes; ++i) {
        static const char* const names[] = {"graphBefore", "graphAfter", "graphMerged"};
        sides_[i].pane = new GraphPane(session.jobs(), QString::fromLatin1(names[i]), this);
    }
    sync_ = new GraphSync(sides_[0].pane->view(), sides_[1].pane->view(), this);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    pages_ = new QStackedWidget;
    column->addWidget(makeBar());
    auto* splitter = new QSplitter(Qt::Horizontal);
    splitter->addWidget(makeSide(0));
    splitter->addWidget(makeSide(1));
    splitter->setChildrenCollapsible(false);
    pages_->addWidget(splitter);
    pages_->addWidget(makeMerged());
    column->addWidget(pages_, 1);
    for (int i = 0; i < kPanes; ++i) {
        connectPane(i);
    }
    applyOptions();
    connect(&session.stages(), &ShownStages::shownChanged, this, &GraphPanel::showStages);
}

QWidget* GraphPanel::makeBar() {
    auto* bar = new QWidget;
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(6, 4, 6, 4);
    graphs_ = new GraphPicker(session_.stages());
    mode_ = new QComboBox;
    mode_->setObjectName(QStringLiteral("graphMode"));
    mode_->addItems({tr("side by side"), tr("merged")});
    mode_->setAccessibleName(tr("How the two stages are shown"));
    mode_->setToolTip(tr("Two graphs side by side, or both in one with what was added, removed, changed and fused"));
    coloring_ = new QComboBox;
    coloring_->setObjectName(QStringLiteral("graphColoring"));
    coloring_->setAccessibleName(tr("Colour of nodes"));
    coloring_->addItems({tr("colour: op kind"), tr("colour: time"), tr("colour: memory"), tr("colour: device"),
                         tr("colour: health"), tr("colour: change")});
    auto* view = new QToolButton;
    view->setObjectName(QStringLiteral("graphViewMenu"));
    view->setText(tr("View"));
    view->setToolButtonStyle(Qt::ToolButtonTextOnly);
    view->setPopupMode(QToolButton::InstantPopup);
    menu_ = new QMenu(view);
    fillMenu(*menu_);
    view->setMenu(menu_);
    auto* fit = new IconButton(QStringLiteral("fit"), tr("Fit the graph into the view (F)"));
    search_ = new SearchBar(tr("Find op, node or scope"));
    for (QComboBox* box : {static_cast<QComboBox*>(graphs_), mode_, coloring_}) {
        box->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
        box->setMinimumContentsLength(7);
        box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
        row->addWidget(box);
    }
    row->addWidget(view);
    row->addStretch(1);
    row->addWidget(search_, 2);
    row->addWidget(fit);
    connect(fit, &QToolButton::clicked, this, [this] {
        for (auto& side : sides_) {
            side.pane->view().fit();
        }
    });
    connect(mode_, &QComboBox::currentIndexChanged, this, [this](int choice) { setMerged(choice == 1); });
    connect(coloring_, &QComboBox::currentIndexChanged, this, [this](int choice) {
        for (auto& side : sides_) {
            side.pane->view().graph().setColoring(static_cast<GraphColoring>(choice));
        }
    });
    connect(search_, &SearchBar::textChanged, this, &GraphPanel::search);
    connect(search_, &SearchBar::next, this, [this] { step(1); });
    connect(search_, &SearchBar::previous, this, [this] { step(-1); });
    return bar;
}

QAction* GraphPanel::addOption(QMenu& menu, const QString& text, const char* name, bool otherwise,
                               std::function<void(bool)> changed) {
    QAction* action = menu.addAction(text);
    action->setObjectName(QString::fromLatin1(name));
    action->setCheckable(true);
    const QString key = QString::fromLatin1(name);
    action->setChecked(settings::flag(key, otherwise));
    changed(action->isChecked());
    connect(action, &QAction::toggled, this, [this, key, changed = std::move(changed)](bool on) {
        settings::setFlag(key, on);
        changed(on);
        applyOptions();
    });
    return action;
}

void GraphPanel::fillMenu(QMenu& menu) {
    auto* groups = new QActionGroup(&menu);
    int at = 0;
    for (const QString& text : {tr("Scopes by Cell"), tr("Scopes by function"), tr("No scopes")}) {
        QAction* action = groups->addAction(menu.addAction(text));
        action->setObjectName(QStringLiteral("graphGrouping%1").arg(at));
        action->setCheckable(true);
        action->setChecked(at == 0);
        connect(action, &QAction::triggered, this, [this, at] {
            options_.grouping = static_cast<Grouping>(at);
            applyOptions();
        });
        ++at;
    }
    menu.addSeparator();
    connect(menu.addAction(tr("Open all scopes")), &QAction::triggered, this, [this] {
        for (auto& side : sides_) {
            side.pane->openAll();
        }
    });
    connect(menu.addAction(tr("Close all scopes")), &QAction::triggered, this, [this] {
        for (auto& side : sides_) {
            side.pane->closeAll();
        }
    });
    menu.addSeparator();
    addOption(menu, tr("Hide constants"), "graphHideConstants", true, [this](bool on) { options_.hideConstants = on; });
    addOption(menu, tr("Hide inputs and parameters"), "graphHideParameters", false,
              [this](bool on) { options_.hideParameters = on; });
    menu.addSeparator();
    const auto addFollow = [this, &menu](const QString& text, const QString& key, Follow direction) {
        QAction* action = menu.addAction(text + '\t' + key);
        connect(action, &QAction::triggered, this, [this, direction] { follow(direction); });
    };
    addFollow(tr("Follow the selected tensor upstream"), QStringLiteral("U"), Follow::Up);
    addFollow(tr("Follow it downstream"), QStringLiteral("D"), Follow::Down);
    addFollow(tr("Follow it both ways"), QStringLiteral("B"), Follow::Both);
    addFollow(tr("Stop following"), tr("Esc"), Follow::None);
    menu.addSeparator();
    addOption(menu, tr("Move both graphs together"), "graphSynchronous", true,
              [this](bool on) { sync_->setEnabled(on); });
    addOption(menu, tr("Legend"), "graphLegendShown", true, [this](bool on) {
        for (auto& side : sides_) {
            side.pane->view().setLegendShown(on);
        }
    });
    addOption(menu, tr("Map"), "graphMapShown", true, [this](bool on) {
        for (auto& side : sides_) {
            side.pane->view().setMinimapShown(on);
        }
    });
    addOption(menu, tr("Animate"), "graphAnimated", true, [this](bool on) {
        for (auto& side : sides_) {
            side.pane->setAnimated(on);
        }
    });
    menu.addSeparator();
    QAction* saveAs = menu.addAction(tr("Save the graph as SVG, PNG, PDF or DOT…"));
    saveAs->setObjectName(QStringLiteral("graphSave"));
    connect(saveAs, &QAction::triggered, this, &GraphPanel::save);
    QAction* copy = menu.addAction(tr("Copy as image"));
    copy->setObjectName(QStringLiteral("graphCopy"));
    copy->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C));
    copy->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    addAction(copy);
    connect(copy, &QAction::triggered, this, [this] {
        GraphScene& scene = focused().view().graph();
        if (!scene.isEmpty()) {
            QApplication::clipboard()->setImage(graphImage(scene));
            emit session_.note(tr("The graph is in the clipboard as an image."));
        }
    });
}

QWidget* GraphPanel::makeSide(int index) {
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
    GraphView& view = sides_[index].pane->view();
    view.setAccessibleName(index == 0 ? tr("Graph before") : tr("Graph after"));
    head->addWidget(caption);
    head->addWidget(new StagePicker(session_.stages(), index), 1);
    column->addLayout(head);
    column->addWidget(&view, 1);
    return holder;
}

QWidget* GraphPanel::makeMerged() {
    auto* holder = new QWidget;
    auto* column = new QVBoxLayout(holder);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(8, 2, 6, 2);
    head->setSpacing(8);
    head->addWidget(new QLabel(tr("From")));
    head->addWidget(new StagePicker(session_.stages(), 0), 1);
    head->addWidget(new QLabel(tr("to")));
    head->addWidget(new StagePicker(session_.stages(), 1), 1);
    column->addLayout(head);
    GraphView& view = sides_[kMerged].pane->view();
    view.setAccessibleName(tr("Both stages in one graph"));
    column->addWidget(&view, 1);
    return holder;
}

void GraphPanel::connectPane(int index) {
    GraphPane* pane = sides_[index].pane;
    GraphView* view = &pane->view();
    connect(view, &GraphView::nodeClicked, this, [this, index](qint64 node) {
        lastPane_ = index;
        for (auto& side : sides_) {
            side.clicked = {};
        }
        sides_[index].clicked = Selection::node(node);
        session_.select(Selection::node(node));
    });
    connect(view, &GraphView::backgroundClicked, this, [this, index] {
        lastPane_ = index;
        session_.select({});
    });
    connect(view, &GraphView::followAsked, this, &GraphPanel::follow);
    connect(pane, &GraphPane::loaded, this, [this, index] {
        sides_[index].clicked = {};
        loadFacts();
        relate(index);
    });
    connect(pane, &GraphPane::laidOut, this, [this, index] {
        mark(index);
        if (!search_->text().isEmpty()) {
            search(search_->text());
        }
    });
    // Scopes have the same name in all stages, so that both sides show the same part.
    connect(pane, &GraphPane::toggled, this, [this, index](const QString& key, bool open) {
        GraphPane* other = index == kMerged ? nullptr : sides_[1 - index].pane;
        if (other && key.startsWith(QLatin1String("scope:")) && other->hasItem(key)) {
            other->setOpen(key, open);
        }
    });
}

void GraphPanel::applyOptions() {
    for (auto& side : sides_) {
        side.pane->setOptions(options_);
    }
}

void GraphPanel::setMerged(bool merged) {
    pages_->setCurrentIndex(merged ? 1 : 0);
    lastPane_ = merged ? kMerged : 1;
    if (merged) {
        coloring_->setCurrentIndex(static_cast<int>(GraphColoring::Change));
    } else if (coloring_->currentIndex() == static_cast<int>(GraphColoring::Change)) {
        coloring_->setCurrentIndex(0);
    }
    showStages();
    showSelection(session_.selection());
    showRelated(session_.related());
}

void GraphPanel::reload() { showStages(); }

void GraphPanel::clear() {
    for (auto& side : sides_) {
        side.pane->clear();
        side.related.clear();
        side.found.clear();
    }
}

void GraphPanel::showStages() {
    if (!session_.hasProfile()) {
        return;
    }
    const ShownStages& shown = session_.stages();
    const qint64 graph = shown.graph();
    if (shown.before() == 0 || shown.after() == 0) {
        const QString none = shown.isLoading()
                                 ? QString()
                                 : tr("No graph was compiled in this run.\nPrograms compile graphs in graph mode and "
                                      "under @jit.");
        sides_[0].pane->clear(none);
        sides_[1].pane->clear();
        sides_[kMerged].pane->clear(none);
        return;
    }
    if (pages_->currentIndex() == 1) {
        const auto [earlier, later] = shown.inOrder();
        sides_[kMerged].pane->show(QStringLiteral("%1 %2").arg(earlier).arg(later),
                                   [graph, earlier = earlier, later = later](JobContext& context) {
                                       return readMerged(context.database(), graph, earlier, later);
                                   });
        return;
    }
    bool other = false;
    for (int i = 0; i < 2; ++i) {
        const qint64 stage = shown.shown(i);
        other |= !sides_[i].pane->isShowing(QString::number(stage));
        sides_[i].pane->show(QString::number(stage),
                             [stage](JobContext& context) { return readStage(context.database(), stage); });
    }
    if (!other && session_.isLive()) {
        loadFacts();
    }
}

void GraphPanel::loadFacts() {
    const ShownStages& shown = session_.stages();
    if (shown.stages().empty()) {
        return;
    }
    const bool swapped = shown.inOrder().first != shown.before();
    session_.jobs().run(
        this, QStringLiteral("facts"),
        [graph = shown.graph(), order = shown.inOrder(), last = shown.stages().back().id](JobContext& context) {
            return readFacts(context.database(), graph, order.first, order.second, last);
        },
        [this, swapped](StageFacts facts) {
            if (swapped) {
                std::swap(facts.earlier, facts.later);
                for (auto& pair : facts.pairs) {
                    std::swap(pair.first, pair.second);
                }
            }
            sync_->setPairs(std::move(facts.pairs));
            sides_[0].pane->view().graph().setFacts(facts.earlier);
            sides_[1].pane->view().graph().setFacts(facts.later);
            facts.earlier.insert(facts.later);
            sides_[kMerged].pane->view().graph().setFacts(facts.earlier);
        });
}

void GraphPanel::showSelection(const Selection& selection) {
    for (int i = 0; i < kPanes; ++i) {
        sides_[i].related.clear();
        if (selection.kind == Selection::Kind::Node) {
            sides_[i].related.insert(selection.id);
        }
        mark(i);
    }
}

void GraphPanel::showRelated(const Related& related) {
    for (int i = 0; i < kPanes && !related.of.isNone(); ++i) {
        relate(i);
    }
}

// Finds what the selection is in the stages of one pane, lights it and brings it into view.
void GraphPanel::relate(int index) {
    const Selection of = session_.selection();
    if (of.isNone() || !isShown(index) || !sides_[index].pane->data()) {
        return;
    }
    // A merged graph has nodes of both stages.
    QVector<qint64> stages{session_.stages().shown(index == kMerged ? 0 : index)};
    if (index == kMerged) {
        stages << session_.stages().after();
    }
    session_.jobs().run(
        this, QStringLiteral("related %1").arg(index),
        [stages, of](JobContext& context) {
            QSet<qint64> nodes;
            for (const qint64 stage : stages) {
                for (const auto id : query::Relations(context.database()).nodes(placeOf(of), stage)) {
                    nodes.insert(id);
                }
            }
            return nodes;
        },
        [this, index, of](QSet<qint64> nodes) {
            Side& side = sides_[index];
            const GraphData* data = side.pane->data();
            if (session_.selection() != of || !data) {
                return;
            }
            side.related = std::move(nodes);
            mark(index);
            if (side.clicked == of) {
                return;  // what was clicked is in view, and stays where it is
            }
            qint64 first = 0;
            if (of.kind == Selection::Kind::Node && data->find(of.id)) {
                side.pane->reveal(of.id);
                return;
            }
            for (const qint64 id : std::as_const(side.related)) {
                if (data->find(id)) {
                    first = first == 0 ? id : std::min(first, id);
                }
            }
            // Scopes are opened for it; kernels stay as they are.
            for (const GraphNode* node = data->find(first); node && node->parent != 0;
                 node = data->find(node->parent)) {
                first = node->parent;
            }
            side.pane->reveal(first);
        });
}

void GraphPanel::mark(int index) {
    const Selection& selection = session_.selection();
    Side& side = sides_[index];
    const bool here =
        selection.kind == Selection::Kind::Node && side.pane->data() && side.pane->data()->find(selection.id);
    side.pane->view().graph().setMarks(here ? selection.id : 0, side.related);
}

void GraphPanel::search(const QString& text) {
    int total = 0;
    for (int i = 0; i < kPanes; ++i) {
        sides_[i].found = isShown(i) ? sides_[i].pane->view().graph().matches(text) : QVector<qint64>();
        total += static_cast<int>(sides_[i].found.size());
    }
    searchAt_ = -1;
    search_->setPosition(-1, total);
}

void GraphPanel::step(int direction) {
    QVector<QPair<int, qint64>> all;
    for (int i = 0; i < kPanes; ++i) {
        for (const qint64 node : std::as_const(sides_[i].found)) {
            all.push_back({i, node});
        }
    }
    const int total = static_cast<int>(all.size());
    if (total == 0) {
        return;
    }
    searchAt_ = (searchAt_ + direction + (searchAt_ < 0 && direction < 0 ? 1 : 0) + total) % total;
    const int at = searchAt_;
    search_->setPosition(at, total);
    session_.select(Selection::node(all[at].second));
    sides_[all[at].first].pane->reveal(all[at].second);
    searchAt_ = at;
}

void GraphPanel::follow(Follow direction) {
    for (auto& side : sides_) {
        side.pane->view().graph().setFollow(direction);
    }
    if (direction != Follow::None && session_.selection().kind != Selection::Kind::Node) {
        emit session_.note(tr("Choose a node first: its values are followed."));
    }
}

GraphPane& GraphPanel::focused() {
    for (int i = 0; i < kPanes; ++i) {
        if (sides_[i].pane->view().hasFocus()) {
            return *sides_[i].pane;
        }
    }
    return *sides_[isShown(lastPane_) ? lastPane_ : pages_->currentIndex() == 1 ? kMerged : 1].pane;
}

void GraphPanel::save() {
    GraphScene& scene = focused().view().graph();
    const QString name = QFileInfo(session_.path()).completeBaseName() + QStringLiteral("-graph.svg");
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Save the graph"), name,
        tr("Pictures and graphs (*.svg *.png *.pdf *.dot);;SVG (*.svg);;PNG (*.png);;PDF (*.pdf);;Graphviz (*.dot)"));
    if (path.isEmpty()) {
        return;
    }
    const QString error = exportGraph(scene, path, formatOf(path));
    emit session_.note(error.isEmpty() ? tr("The graph was saved in %1.").arg(path) : error);
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
