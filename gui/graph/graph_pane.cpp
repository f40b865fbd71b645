// Reading is for a query worker; the tree and the layout for the layout thread.
#include "gui/graph/graph_pane.hpp"

#include "gui/widgets/format.hpp"

namespace fusescope::gui {

namespace {

constexpr int kOpenAllBoxes = 600;  // "open all" stops here

struct Placed {
    std::shared_ptr<const ScopeTree> tree;
    QSet<QString> open;
    GraphLayout layout;
};

}  // namespace

GraphPane::GraphPane(Jobs& jobs, const QString& name, QObject* parent)
    : QObject(parent), jobs_(jobs), view_(new GraphView) {
    view_->setObjectName(name);
    connect(view_, &GraphView::boxToggled, this, [this](const QString& key) {
        const bool open = !isOpen(key);
        setOpen(key, open);
        emit toggled(key, open);
    });
}

void GraphPane::show(const QString& what, Reader reader) {
    if (what_ == what) {
        return;
    }
    what_ = what;
    data_.reset();
    tree_.reset();
    open_.clear();
    opened_ = false;
    anchor_.clear();
    view_->setMessage(tr("Laying out…"));
    jobs_.run(
        this, QStringLiteral("stage"), std::move(reader),
        [this, what](std::shared_ptr<GraphData> data) {
            if (what_ != what) {
                return;
            }
            data_ = std::move(data);
            emit loaded();
            layOutNow(false);
        },
        [this](const QString& error) { view_->setMessage(error); });
}

void GraphPane::clear(const QString& message) {
    jobs_.cancel(this, QStringLiteral("stage"));
    jobs_.cancel(this, QStringLiteral("layout"));
    what_.clear();
    data_.reset();
    tree_.reset();
    open_.clear();
    opened_ = false;
    reveal_ = 0;
    view_->graph().clearAll();
    view_->setMessage(message);
    view_->setNotice({});
}

void GraphPane::setOptions(const TreeOptions& options) {
    if (options == options_) {
        return;
    }
    const bool regrouped = options.grouping != options_.grouping;
    options_ = options;
    tree_.reset();
    opened_ = opened_ && !regrouped;
    if (data_) {
        layOutNow(!regrouped);
    }
}

void GraphPane::setOpen(const QString& key, bool open) {
    if (!data_ || open == open_.contains(key)) {
        return;
    }
    if (open) {
        open_.insert(key);
    } else {
        open_.remove(key);
    }
    anchor_ = key;
    layOutNow(true);
}

void GraphPane::openAll() {
    if (!tree_) {
        return;
    }
    open_.clear();
    int seen = static_cast<int>(tree_->roots.size());
    for (const TreeItem& item : tree_->items) {
        // Items come before what is in them, so that what is left out at the limit is the innermost.
        const bool inOpen = item.parent < 0 || open_.contains(tree_->items[item.parent].key);
        if (!item.children.isEmpty() && inOpen && seen + item.children.size() <= kOpenAllBoxes) {
            open_.insert(item.key);
            seen += static_cast<int>(item.children.size());
        }
    }
    layOutNow(false);
}

void GraphPane::closeAll() {
    if (tree_) {
        open_.clear();
        layOutNow(false);
    }
}

bool GraphPane::hasItem(const QString& key) const { return tree_ && tree_->byKey.contains(key); }

void GraphPane::reveal(qint64 node) {
    if (!tree_) {
        reveal_ = data_ ? node : 0;  // once it is laid out
        return;
    }
    if (!tree_->itemOf.contains(node)) {
        return;
    }
    const QSet<QString> around = keysAround(*tree_, open_, node);
    if (around == open_) {
        view_->reveal(node);
        return;
    }
    open_ = around;
    reveal_ = node;
    layOutNow(true);
}

void GraphPane::layOutNow(bool keepView) {
    jobs_.run(
        this, QStringLiteral("layout"),
        [data = data_, tree = tree_, options = options_, open = open_, opened = opened_,
         cache = cache_](JobContext& context) {
            Placed placed;
            placed.tree = tree ? tree : makeScopeTree(data, options);
            placed.open = opened ? open : startKeys(*placed.tree);
            placed.layout = layOut(makeVisible(placed.tree, placed.open), *cache, [&] { return context.stale(); });
            return placed;
        },
        [this, keepView](Placed placed) {
            tree_ = std::move(placed.tree);
            open_ = std::move(placed.open);
            opened_ = true;
            place(placed.layout, keepView);
        },
        [this](const QString& error) { view_->setMessage(error); }, Jobs::Lane::Layout);
}

void GraphPane::place(const GraphLayout& layout, bool keepView) {
    const bool first = view_->graph().isEmpty();
    view_->graph().show(layout, anchor_, animated_ && keepView && !first);
    view_->setMessage(layout.graph.boxes.isEmpty() ? tr("This stage has no nodes.") : QString());
    QStringList notes;
    if (tree_->hiddenConstants > 0) {
        notes << tr("%L1 constants hidden").arg(tree_->hiddenConstants);
    }
    if (tree_->hiddenParameters > 0) {
        notes << tr("%L1 inputs and parameters hidden").arg(tree_->hiddenParameters);
    }
    view_->setNotice(notes.join(QStringLiteral(" · ")));
    if (!keepView) {
        view_->showStart();
    }
    anchor_.clear();
    emit laidOut();
    if (reveal_ != 0) {
        const qint64 node = std::exchange(reveal_, 0);
        view_->graph().finishAnimation();
        reveal(node);
    }
}

}  // namespace fusescope::gui
