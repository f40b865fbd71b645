#include "gui/models/variable_model.hpp"

#include <QFont>
#include <algorithm>

#include "gui/app/theme.hpp"

namespace fusescope::gui {

struct VariableModel::Node {
    Node* parent = nullptr;
    int row = 0;
    DebugVariable variable;
    bool scope = false;
    bool range = false;
    int first = 0, count = 0;  ///< of a range
    bool asked = false;
    bool changed = false;
    Nodes children;

    bool opens() const { return range || variable.reference != 0; }
    /// The variable whose parts these are.
    const Node* whole() const { return range ? parent->whole() : this; }
};

VariableModel::VariableModel(Fetch fetch, Store store, QObject* parent)
    : QAbstractItemModel(parent), fetch_(std::move(fetch)), store_(std::move(store)), root_(std::make_unique<Node>()) {}

VariableModel::~VariableModel() = default;

void VariableModel::setScopes(const QVector<DebugVariable>& scopes) {
    beginResetModel();
    if (!scopes.isEmpty() && !root_->children.empty()) {
        before_.clear();
        remember(root_.get());
    }
    ++generation_;
    root_ = std::make_unique<Node>();
    root_->asked = true;
    root_->children = nodesOf(scopes);
    for (size_t i = 0; i < root_->children.size(); ++i) {
        root_->children[i]->parent = root_.get();
        root_->children[i]->row = static_cast<int>(i);
        root_->children[i]->scope = true;
    }
    endResetModel();
}

void VariableModel::remember(const Node* node) {
    for (const auto& child : node->children) {
        before_.insert(path(child.get()), child->variable.value);
        remember(child.get());
    }
}

VariableModel::Node* VariableModel::nodeOf(const QModelIndex& index) const {
    return index.isValid() ? static_cast<Node*>(index.internalPointer()) : root_.get();
}

QModelIndex VariableModel::indexOf(Node* node) const {
    return node == root_.get() ? QModelIndex() : createIndex(node->row, 0, node);
}

// The op of a scope's name is left out: the scope of the next op is the same place.
QString VariableModel::path(const Node* node) const {
    QString name = node->variable.name;
    if (node->scope) {
        for (const auto& prefix : {QStringLiteral("Op "), QStringLiteral("Last op ")}) {
            name = name.startsWith(prefix) ? prefix : name;
        }
    }
    return node->parent && node->parent != root_.get() ? path(node->parent) + QChar('\n') + name : name;
}

QString VariableModel::pathOf(const QModelIndex& index) const { return path(nodeOf(index)); }

int VariableModel::operandOf(const QModelIndex& index) const {
    const Node* const node = nodeOf(index);
    if (!index.isValid() || !node->parent || !node->parent->scope ||
        !node->parent->variable.name.startsWith(QStringLiteral("Op ")) || !node->opens() ||
        node->variable.name == QStringLiteral("result")) {
        return -1;
    }
    const auto& all = node->parent->children;
    return static_cast<int>(std::count_if(all.begin(), all.begin() + node->row, [](const auto& n) {
        return n->opens() && n->variable.name != QStringLiteral("result");
    }));
}

const DebugVariable* VariableModel::variable(const QModelIndex& index) const {
    return index.isValid() ? &nodeOf(index)->variable : nullptr;
}

QModelIndex VariableModel::index(int row, int column, const QModelIndex& parent) const {
    const Node* const node = nodeOf(parent);
    if (row < 0 || column < 0 || column >= ColumnCount || row >= static_cast<int>(node->children.size())) {
        return {};
    }
    return createIndex(row, column, node->children[static_cast<size_t>(row)].get());
}

QModelIndex VariableModel::parent(const QModelIndex& child) const {
    return child.isValid() ? indexOf(nodeOf(child)->parent) : QModelIndex();
}

int VariableModel::rowCount(const QModelIndex& parent) const {
    return parent.column() > 0 ? 0 : static_cast<int>(nodeOf(parent)->children.size());
}

int VariableModel::columnCount(const QModelIndex&) const { return ColumnCount; }

bool VariableModel::hasChildren(const QModelIndex& parent) const {
    if (parent.column() > 0) {
        return false;
    }
    const Node* const node = nodeOf(parent);
    return !node->children.empty() || (parent.isValid() && node->opens() && !node->asked);
}

bool VariableModel::canFetchMore(const QModelIndex& parent) const {
    return parent.isValid() && parent.column() == 0 && nodeOf(parent)->opens() && !nodeOf(parent)->asked;
}

void VariableModel::fetchMore(const QModelIndex& parent) {
    if (!canFetchMore(parent)) {
        return;
    }
    Node* const node = nodeOf(parent);
    node->asked = true;
    const int reference = node->whole()->variable.reference;
    const auto answer = [this, node, generation = generation_](const QVector<DebugVariable>& variables) {
        if (generation == generation_) {
            append(node, nodesOf(variables));
        }
    };
    if (node->range) {
        if (node->count > kPage) {
            append(node, ranges(node, node->first, node->count));
        } else {
            fetch_(reference, QStringLiteral("indexed"), node->first, node->count, answer);
        }
        return;
    }
    const int indexed = node->variable.indexed;
    if (indexed <= kPage) {
        fetch_(reference, QString(), 0, 0, answer);
        return;
    }
    if (node->variable.named == 0) {
        append(node, ranges(node, 0, indexed));
        return;
    }
    fetch_(reference, QStringLiteral("named"), 0, 0,
           [this, node, indexed, generation = generation_](const QVector<DebugVariable>& named) {
               if (generation == generation_) {
                   Nodes all = nodesOf(named);
                   for (auto& range : ranges(node, 0, indexed)) {
                       all.push_back(std::move(range));
                   }
                   append(node, std::move(all));
               }
           });
}

// At most a hundred ranges a level; a range of more than a page has ranges inside.
VariableModel::Nodes VariableModel::ranges(const Node*, int first, int count) const {
    qint64 size = kPage;
    while ((count + size - 1) / size > kPage) {
        size *= kPage;
    }
    Nodes all;
    for (qint64 at = 0; at < count; at += size) {
        auto node = std::make_unique<Node>();
        node->range = true;
        node->first = static_cast<int>(first + at);
        node->count = static_cast<int>(std::min<qint64>(size, count - at));
        node->variable.name = QStringLiteral("[%1 … %2]").arg(node->first).arg(node->first + node->count - 1);
        all.push_back(std::move(node));
    }
    return all;
}

VariableModel::Nodes VariableModel::nodesOf(const QVector<DebugVariable>& variables) const {
    Nodes all;
    all.reserve(static_cast<size_t>(variables.size()));
    for (const DebugVariable& variable : variables) {
        auto node = std::make_unique<Node>();
        node->variable = variable;
        all.push_back(std::move(node));
    }
    return all;
}

void VariableModel::append(Node* node, Nodes children) {
    if (children.empty()) {
        const QModelIndex at = indexOf(node);
        emit dataChanged(at, at);
        return;
    }
    const int first = static_cast<int>(node->children.size());
    beginInsertRows(indexOf(node), first, first + static_cast<int>(children.size()) - 1);
    for (auto& child : children) {
        child->parent = node;
        child->row = static_cast<int>(node->children.size());
        const auto before = before_.constFind(path(child.get()));
        child->changed = before != before_.constEnd() && before.value() != child->variable.value;
        node->children.push_back(std::move(child));
    }
    endInsertRows();
}

QVariant VariableModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const Node* const node = nodeOf(index);
    const DebugVariable& v = node->variable;
    switch (role) {
        case Qt::DisplayRole:
        case Qt::EditRole:
            return index.column() == Name ? v.name : index.column() == Value ? v.value : v.type;
        case Qt::ToolTipRole:
            return v.type.isEmpty()          ? QVariant(v.value)
                   : index.column() == Value ? QVariant(v.type + QStringLiteral("\n") + v.value)
                                             : QVariant(v.type);
        case Qt::FontRole:
            if (node->scope || (node->changed && index.column() == Value)) {
                QFont font;
                font.setBold(true);
                return font;
            }
            return {};
        case Qt::ForegroundRole:
            return node->changed && index.column() == Value ? QVariant(theme().accent)
                   : node->range || index.column() == Type  ? QVariant(theme().mutedText)
                                                            : QVariant();
        default:
            return {};
    }
}

bool VariableModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (role != Qt::EditRole || !(flags(index) & Qt::ItemIsEditable)) {
        return false;
    }
    const Node* const node = nodeOf(index);
    if (value.toString() == node->variable.value) {
        return false;
    }
    store_(node->parent->whole()->variable.reference, node->variable.name, value.toString());
    return true;
}

// What an expression gives can be set; operands and results of an op are as they were.
Qt::ItemFlags VariableModel::flags(const QModelIndex& index) const {
    Qt::ItemFlags flags = QAbstractItemModel::flags(index);
    if (index.isValid() && index.column() == Value && !nodeOf(index)->variable.expression.isEmpty()) {
        flags |= Qt::ItemIsEditable;
    }
    return flags;
}

QVariant VariableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) {
        return {};
    }
    return section == Name ? tr("Name") : section == Value ? tr("Value") : tr("Type");
}

}  // namespace fusescope::gui
