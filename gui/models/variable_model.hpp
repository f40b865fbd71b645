// The variables of a stopped program as a tree whose parts are asked for when they are opened. What has many elements
// is cut into ranges, so that an array of a million is opened in a few steps and never read as a whole.
#pragma once

#include <QAbstractItemModel>
#include <QHash>
#include <functional>
#include <memory>
#include <vector>

#include "gui/debug/debug_session.hpp"

namespace fusescope::gui {

class VariableModel : public QAbstractItemModel {
    Q_OBJECT

 public:
    enum Column { Name, Value, Type, ColumnCount };
    static constexpr int kPage = 100;  ///< most elements asked for at once

    using Answer = DebugSession::Variables;
    using Fetch = std::function<void(int reference, const QString& filter, int start, int count, Answer answer)>;
    using Store = std::function<void(int reference, const QString& name, const QString& value)>;

    VariableModel(Fetch fetch, Store store, QObject* parent = nullptr);
    ~VariableModel() override;

    /// The groups at the top. What differs from what was shown before under the same path is marked as changed.
    void setScopes(const QVector<DebugVariable>& scopes);

    /// Names from the top, to find the same thing again after the next stop.
    QString pathOf(const QModelIndex& index) const;
    /// Which operand of the op on show this is, -1 when it is none.
    int operandOf(const QModelIndex& index) const;
    const DebugVariable* variable(const QModelIndex& index) const;

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& child) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    bool hasChildren(const QModelIndex& parent = {}) const override;
    bool canFetchMore(const QModelIndex& parent) const override;
    void fetchMore(const QModelIndex& parent) override;
    QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
    struct Node;
    using Nodes = std::vector<std::unique_ptr<Node>>;

    Node* nodeOf(const QModelIndex& index) const;
    QModelIndex indexOf(Node* node) const;
    QString path(const Node* node) const;
    void append(Node* node, Nodes children);
    Nodes ranges(const Node* node, int first, int count) const;
    Nodes nodesOf(const QVector<DebugVariable>& variables) const;
    void remember(const Node* node);

    Fetch fetch_;
    Store store_;
    std::unique_ptr<Node> root_;
    QHash<QString, QString> before_;  ///< values of the last stop, by path
    quint64 generation_ = 0;          ///< answers for an older tree are dropped
};

}  // namespace fusescope::gui
