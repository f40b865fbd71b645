// Statistics, their history over the steps, and the histogram.
#pragma once

#include "gui/plots/history_plot.hpp"
#include "gui/tensor/tensor_page.hpp"
#include "profiler/query/tensor_places.hpp"
#include "profiler/tensors/statistics.hpp"

class QLabel;
class QStackedLayout;

namespace fusescope::gui {

class HistogramPlot;

class SummaryPage : public QWidget {
    Q_OBJECT

 public:
    explicit SummaryPage(Jobs& jobs);

    /// `info`: what was recorded of the tensor besides its elements; `missing` as for the other pages.
    void setTensor(const tensors::Array& array, const std::optional<query::TensorInfo>& info, const QString& missing);
    void setHistory(const QVector<HistoryPlot::Point>& points, int current);
    void setCurrentRun(int point);

 signals:
    void runChosen(int point);
    void elementChosen(qint64 flat);

 protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

 private:
    void update();
    void showFacts();

    Jobs& jobs_;
    tensors::Array array_;
    std::optional<query::TensorInfo> info_;
    std::optional<tensors::Statistics> statistics_;
    QString missing_;
    QStackedLayout* layers_;
    QWidget* body_;
    QLabel* hint_;  ///< instead of the body, when nothing at all is known
    QLabel* facts_;
    QLabel* note_;
    QWidget* histogramBox_;
    HistogramPlot* histogram_;
    HistoryPlot* history_;
    QWidget* historyBox_;
    bool stale_ = true;
};

}  // namespace fusescope::gui
