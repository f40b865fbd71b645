// Every node gets a path; paths make a tree; the tree is then thinned of scopes that say nothing and cut where a level
// is too long.
#include "gui/graph/scope_tree.hpp"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QSet>
#include <QStringList>
#include <algorithm>
#include <map>
#include <memory>

namespace fusescope::gui {

namespace {

constexpr int kParts = 40;       // a level that is cut gets about as many parts
constexpr int kPartSize = 25;    // and each at least this many items
constexpr int kDeepest = 64;     // nesting of a path; longer ones are cut
constexpr int kInlineText = 14;  // a constant's value up to this length is told with its reader

class Builder {
    Q_DECLARE_TR_FUNCTIONS(Builder)

 public:
    Builder(std::shared_ptr<const GraphData> data, const TreeOptions& options, int limit)
        : tree_(std::make_shared<ScopeTree>()), data_(*data), limit_(std::max(limit, 2)) {
        tree_->data = std::move(data);
        tree_->options = options;
    }

    std::shared_ptr<const ScopeTree> run() {
        findHidden();
        findReaders();
        findPhases();
        QVector<int> top;
        for (int i = 0; i < data_.nodes.size(); ++i) {
            if (data_.nodes[i].parent == 0 && !hidden_[i]) {
                top.push_back(i);
            }
        }
        Scope root;
        for (const int node : top) {
            place(node, root);
        }
        thin(root);
        emitScope(root, -1, QString(), QStringLiteral("top"));
        tree_->edges.reserve(data_.edges.size());
        for (const GraphEdge& edge : data_.edges) {
            tree_->edges.push_back({tree_->itemOf.value(edge.source, -1), tree_->itemOf.value(edge.target, -1)});
        }
        for (int i = static_cast<int>(tree_->items.size()); i-- > 0;) {
            const TreeItem& item = tree_->items[i];
            if (item.parent >= 0) {
                tree_->items[item.parent].count += item.count + (item.node != 0 ? 1 : 0);
            }
        }
        return tree_;
    }

 private:
    // Scopes while they are being made; children in order of first sight.
    struct Scope {
        QString title;
        QString path;
        std::map<QString, int> index;
        std::vector<std::unique_ptr<Scope>> scopes;
        QVector<QPair<int, int>> order;  // (is a scope, its place or the node)
        int total = 0;
    };

    void findHidden() {
        hidden_.fill(false, data_.nodes.size());
        for (int i = 0; i < data_.nodes.size(); ++i) {
            const GraphNode& node = data_.nodes[i];
            const bool constant = node.op == QLatin1String("Constant");
            if (constant && tree_->options.hideConstants) {
                hidden_[i] = true;
                ++tree_->hiddenConstants;
            } else if (!constant && node.parent == 0 && isLeafOp(node.op) && tree_->options.hideParameters) {
                hidden_[i] = true;
                ++tree_->hiddenParameters;
            }
        }
    }

    // Inputs, parameters and constants have no scope of their own: they go where they are read first.
    void findReaders() {
        static const QRegularExpression value(QStringLiteral(R"(value=([^\[\])]+)\)?$)"));
        for (const GraphEdge& edge : data_.edges) {
            const auto source = data_.indexOf.constFind(edge.source);
            const auto target = data_.indexOf.constFind(edge.target);
            if (source == data_.indexOf.constEnd() || target == data_.indexOf.constEnd()) {
                continue;
            }
            const GraphNode& from = data_.nodes[source.value()];
            if (!isLeafOp(from.op)) {
                continue;
            }
            readers_[source.value()].push_back(target.value());
            if (hidden_[source.value()] && !from.value.isEmpty()) {
                const auto match = value.match(from.value);
                const QString text = match.hasMatch() ? match.captured(1).trimmed() : from.value;
                if (text.size() <= kInlineText) {
                    QString& known = tree_->inlined[edge.target];
                    known += known.isEmpty() ? text : QStringLiteral(", ") + text;
                }
            }
        }
    }

    void findPhases() {
        QSet<QString> seen;
        for (const GraphNode& node : data_.nodes) {
            if (node.parent == 0 && !isLeafOp(node.op) && node.op != QLatin1String("Return")) {
                seen.insert(node.phase);
            }
        }
        for (auto& readers : readers_) {
            std::sort(readers.begin(), readers.end());
        }
        phased_ = seen.size() > 1 && tree_->options.grouping != Grouping::None;
    }

    static QString phaseTitle(const QString& phase) {
        return phase == QLatin1String("forward")     ? tr("Forward")
               : phase == QLatin1String("backward")  ? tr("Backward")
               : phase == QLatin1String("optimizer") ? tr("Optimizer")
               : phase == QLatin1String("input")     ? tr("Input")
                                                     : phase;
    }

    QStringList ownPath(const GraphNode& node) const {
        QStringList path;
        if (tree_->options.grouping == Grouping::None) {
            return path;
        }
        if (phased_) {
            path << (node.phase.isEmpty() ? QStringLiteral("forward") : node.phase);
        }
        const QString& scope = tree_->options.grouping == Grouping::Cells ? node.scope : node.calls;
        path += scope.split('/', Qt::SkipEmptyParts).mid(0, kDeepest);
        // MindSpore calls the outermost scope "Default"; all nodes have it.
        path.removeAll(QStringLiteral("Default"));
        return path;
    }

    QStringList pathOf(int position) {
        const GraphNode& node = data_.nodes[position];
        if (node.op == QLatin1String("Return")) {
            return {};
        }
        if (!isLeafOp(node.op)) {
            return ownPath(node);
        }
        // Weights are read in all phases: they stand where they are read first, and what else reads them is a link.
        for (const int reader : readers_.value(position)) {
            if (data_.nodes[reader].op != QLatin1String("Return")) {
                return ownPath(data_.nodes[reader]);
            }
        }
        return {};
    }

    void place(int position, Scope& root) {
        Scope* at = &root;
        ++at->total;
        int depth = 0;
        for (const QString& part : pathOf(position)) {
            auto it = at->index.find(part);
            if (it == at->index.end()) {
                it = at->index.emplace(part, static_cast<int>(at->scopes.size())).first;
                auto scope = std::make_unique<Scope>();
                scope->title = phased_ && depth == 0 ? phaseTitle(part) : part;
                scope->path = at->path.isEmpty() ? part : at->path + '/' + part;
                at->order.push_back({1, it->second});
                at->scopes.push_back(std::move(scope));
            }
            at = at->scopes[static_cast<size_t>(it->second)].get();
            ++at->total;
            ++depth;
        }
        at->order.push_back({0, position});
    }

    // A scope around a single node says no more than the node, and one around a single scope no more than that.
    void thin(Scope& scope) {
        QVector<QPair<int, int>> order;
        std::vector<std::unique_ptr<Scope>> kept;
        for (const auto& [isScope, at] : std::as_const(scope.order)) {
            if (!isScope) {
                order.push_back({0, at});
                continue;
            }
            auto child = std::move(scope.scopes[static_cast<size_t>(at)]);
            thin(*child);
            if (child->total == 1) {
                order += child->order;
                continue;
            }
            if (child->order.size() == 1 && child->order.front().first == 1) {
                auto inner = std::move(child->scopes.front());
                inner->title = child->title + QStringLiteral(" / ") + inner->title;
                child = std::move(inner);
            }
            order.push_back({1, static_cast<int>(kept.size())});
            kept.push_back(std::move(child));
        }
        scope.order = std::move(order);
        scope.scopes = std::move(kept);
    }

    int push(TreeItem item) {
        const int index = static_cast<int>(tree_->items.size());
        (item.parent < 0 ? tree_->roots : tree_->items[item.parent].children).push_back(index);
        tree_->byKey.insert(item.key, index);
        if (item.node != 0) {
            tree_->itemOf.insert(item.node, index);
        }
        tree_->items.push_back(std::move(item));
        return index;
    }

    // `begin` … `end` of the scope's order go below `parent`, in parts when they are too many.
    void emitScope(const Scope& scope, int parent, const QString& prefix, const QString& where) {
        emitRange(scope, 0, static_cast<int>(scope.order.size()), parent, prefix, where);
    }

    void emitRange(const Scope& scope, int begin, int end, int parent, const QString& prefix, const QString& where) {
        const int length = end - begin;
        if (length > limit_) {
            tree_->grouped = true;
            const int parts = std::min(limit_, kParts);
            const int size = std::max(std::min(kPartSize, limit_), (length + parts - 1) / parts);
            for (int at = begin; at < end; at += size) {
                const int last = std::min(at + size, end);
                TreeItem part;
                part.key = QStringLiteral("part:%1:%2-%3").arg(where).arg(at).arg(last);
                part.title = partTitle(scope, at, last);
                part.parent = parent;
                const int index = push(std::move(part));
                emitRange(scope, at, last, index, prefix, where);
            }
            return;
        }
        for (int i = begin; i < end; ++i) {
            const auto& [isScope, at] = scope.order[i];
            if (!isScope) {
                emitNode(at, parent);
                continue;
            }
            const Scope& child = *scope.scopes[static_cast<size_t>(at)];
            TreeItem item;
            item.key = QStringLiteral("scope:%1").arg(child.path);
            item.title = child.title;
            item.path = child.path;
            item.parent = parent;
            tree_->grouped = true;
            const int index = push(std::move(item));
            emitScope(child, index, child.path, item.key.isEmpty() ? child.path : item.key);
        }
    }

    QString nameAt(const Scope& scope, int at) const {
        const auto& [isScope, place] = scope.order[at];
        return isScope ? scope.scopes[static_cast<size_t>(place)]->title : data_.nodes[place].name;
    }

    QString partTitle(const Scope& scope, int begin, int end) const {
        return QStringLiteral("%1 … %2").arg(nameAt(scope, begin), nameAt(scope, end - 1));
    }

    void emitNode(int position, int parent) {
        const GraphNode& node = data_.nodes[position];
        if (tree_->itemOf.contains(node.id)) {
            return;  // a damaged profile could hold a cycle of parents
        }
        TreeItem item;
        item.key = QStringLiteral("node:%1").arg(node.id);
        item.node = node.id;
        item.title = node.op;
        item.parent = parent;
        const int index = push(std::move(item));
        Scope inside;
        for (const int member : data_.membersOf.value(node.id)) {
            if (!hidden_[member]) {
                inside.order.push_back({0, member});
            }
        }
        if (!inside.order.isEmpty()) {
            emitScope(inside, index, QString(), QStringLiteral("node:%1").arg(node.id));
        }
    }

    std::shared_ptr<ScopeTree> tree_;
    const GraphData& data_;
    const int limit_;
    QVector<bool> hidden_;
    QHash<int, QVector<int>> readers_;
    bool phased_ = false;
};

}  // namespace

std::shared_ptr<const ScopeTree> makeScopeTree(std::shared_ptr<const GraphData> data, const TreeOptions& options,
                                               int limit) {
    return Builder(std::move(data), options, limit).run();
}

}  // namespace fusescope::gui
