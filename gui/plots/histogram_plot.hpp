// Bins as bars, with what has no bin told beside them.
#pragma once

#include "gui/plots/plot_widget.hpp"
#include "profiler/tensors/histogram.hpp"

namespace fusescope::gui {

class HistogramPlot : public PlotWidget {
    Q_OBJECT

 public:
    explicit HistogramPlot(const QString& accessibleName, QWidget* parent = nullptr);

    void setHistogram(const tensors::Histogram& histogram, const QString& xLabel);
    /// Counts on a logarithmic axis: rare values stay visible.
    void setLogarithmic(bool logarithmic);
    const tensors::Histogram& histogram() const { return histogram_; }

 protected:
    QString textAt(const QPoint& pixel) const override;

 private:
    void draw() override;

    tensors::Histogram histogram_;
    QString label_;
    bool logarithmic_ = false;
};

}  // namespace fusescope::gui
