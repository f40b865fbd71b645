// Bins as bars, with what has no bin told beside them.
#pragma once

#include <QWidget>

#include "profiler/tensors/histogram.hpp"

class QCustomPlot;

namespace fusescope::gui {

class HistogramPlot : public QWidget {
    Q_OBJECT

 public:
    explicit HistogramPlot(const QString& accessibleName, QWidget* parent = nullptr);

    void setHistogram(const tensors::Histogram& histogram, const QString& xLabel);
    /// Counts on a logarithmic axis: rare values stay visible.
    void setLogarithmic(bool logarithmic);
    const tensors::Histogram& histogram() const { return histogram_; }

 protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

 private:
    void rebuild();

    QCustomPlot* plot_;
    tensors::Histogram histogram_;
    QString label_;
    bool logarithmic_ = false;
};

}  // namespace fusescope::gui
