// A page of the tensor panel: one way to look at the elements. It works when it can be seen, and says why when there is
// nothing to look at.
#pragma once

#include <QWidget>

#include "gui/app/jobs.hpp"
#include "profiler/tensors/array.hpp"

class QLabel;
class QStackedLayout;

namespace fusescope::gui {

class TensorPage : public QWidget {
    Q_OBJECT

 public:
    explicit TensorPage(Jobs& jobs);

    /// A muted sentence in the middle of a page that has nothing to show.
    static QLabel* makeHint();

    /// `missing`: why there are no elements, when there are none.
    void setTensor(const tensors::Array& array, const QString& missing);
    /// The element that all pages show, -1 for none.
    void setElement(qint64 flat);

 signals:
    void elementChosen(qint64 flat);

 protected:
    /// Another tensor is to be shown; it has elements.
    virtual void refresh() = 0;
    virtual void elementChanged() {}
    void showEvent(QShowEvent* event) override;

    QWidget& body() { return *body_; }
    void invalidate();
    /// "(3, 5)"
    static QString indexText(qint64 flat, const Shape& shape);
    static tensors::Stale staleOf(JobContext& context) {
        return [&context] { return context.stale(); };
    }

    Jobs& jobs_;
    tensors::Array array_;
    qint64 element_ = -1;

 private:
    void update();

    QStackedLayout* layers_;
    QWidget* body_;
    QLabel* hint_;
    QString missing_;
    bool stale_ = true;
};

}  // namespace fusescope::gui
