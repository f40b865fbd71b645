// One graph with what is open in it: reads its stage, builds the tree, has it laid out, and shows it. The panel has one
// for each side and one for both stages in one.
#pragma once

#include <QSet>
#include <functional>
#include <memory>

#include "gui/app/jobs.hpp"
#include "gui/graph/graph_view.hpp"

namespace fusescope::gui {

class GraphPane : public QObject {
    Q_OBJECT

 public:
    using Reader = std::function<std::shared_ptr<GraphData>(JobContext&)>;

    GraphPane(Jobs& jobs, const QString& name, QObject* parent);

    GraphView& view() { return *view_; }
    /// `what` names what the reader reads; nothing happens when that is shown already.
    void show(const QString& what, Reader reader);
    void clear(const QString& message = {});
    bool isShowing(const QString& what) const { return what_ == what; }
    const GraphData* data() const { return data_.get(); }

    void setOptions(const TreeOptions& options);
    void setAnimated(bool animated) { animated_ = animated; }

    bool isOpen(const QString& key) const { return open_.contains(key); }
    /// Opens or closes the item of that key, which stays where it is on the screen.
    void setOpen(const QString& key, bool open);
    void openAll();
    void closeAll();
    /// Opens what is around the node, and brings it into view.
    void reveal(qint64 node);
    /// Scopes with this key exist in the stage shown.
    bool hasItem(const QString& key) const;

 signals:
    /// The stage has been read; nothing is drawn yet.
    void loaded();
    /// What is drawn is another picture.
    void laidOut();
    void toggled(const QString& key, bool open);

 private:
    void layOutNow(bool keepView);
    void place(const GraphLayout& layout, bool keepView);

    Jobs& jobs_;
    GraphView* view_;
    QString what_;
    std::shared_ptr<const GraphData> data_;
    std::shared_ptr<const ScopeTree> tree_;
    TreeOptions options_;
    QSet<QString> open_;
    bool opened_ = false;  ///< open_ is for this stage; else it starts with startKeys()
    bool animated_ = true;
    QString anchor_;
    qint64 reveal_ = 0;
    std::shared_ptr<LayoutCache> cache_ = std::make_shared<LayoutCache>();  ///< the layout thread's
};

}  // namespace fusescope::gui
