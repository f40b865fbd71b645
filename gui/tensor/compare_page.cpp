#include "gui/tensor/compare_page.hpp"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "gui/app/theme.hpp"
#include "gui/plots/histogram_plot.hpp"
#include "gui/tensor/heat_map.hpp"
#include "gui/tensor/slice_bar.hpp"
#include "gui/widgets/format.hpp"
#include "profiler/tensors/element_text.hpp"

namespace fusescope::gui {

namespace {

constexpr qint64 kWrap = 64;
constexpr int kBins = 61;  // odd: no difference is in the middle of a bin

}  // namespace

ComparePage::ComparePage(Jobs& jobs)
    : TensorPage(jobs),
      facts_(new QLabel),
      bar_(new SliceBar(kWrap)),
      measure_(new QComboBox),
      map_(new HeatMap(tr("Difference map"))),
      errors_(new HistogramPlot(tr("Histogram of the differences"))),
      views_(new QWidget) {
    auto* row = new QHBoxLayout(&body());
    row->setContentsMargins(0, 0, 0, 0);
    auto* scroll = new QScrollArea;
    scroll->setWidget(facts_);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setMinimumWidth(240);
    scroll->setMaximumWidth(340);
    facts_->setObjectName(QStringLiteral("compareFacts"));
    facts_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    facts_->setMargin(8);
    facts_->setWordWrap(true);
    facts_->setTextInteractionFlags(Qt::TextBrowserInteraction);
    row->addWidget(scroll, 2);
    auto* column = new QVBoxLayout(views_);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    measure_->addItems({tr("difference"), tr("absolute"), tr("relative"), tr("ULPs")});
    measure_->setObjectName(QStringLiteral("compareMeasure"));
    measure_->setAccessibleName(tr("What the map shows"));
    bar_->addWidget(measure_);
    map_->setObjectName(QStringLiteral("differenceMap"));
    column->addWidget(bar_);
    column->addWidget(map_, 3);
    column->addWidget(errors_, 2);
    row->addWidget(views_, 5);
    map_->setDescription([this](qint64 flat) {
        return tr("pinned %1, this %2")
            .arg(QString::fromStdString(tensors::text_of(pinned_, flat)),
                 QString::fromStdString(tensors::text_of(array_, flat)));
    });
    connect(bar_, &SliceBar::changed, this, &ComparePage::askMap);
    connect(measure_, &QComboBox::activated, this, &ComparePage::askMap);
    connect(map_, &HeatMap::elementChosen, this, &TensorPage::elementChosen);
    connect(facts_, &QLabel::linkActivated, this,
            [this](const QString& link) { emit elementChosen(link.toLongLong()); });
}

void ComparePage::setPinned(const tensors::Array& array, const QString& name) {
    pinned_ = array;
    pinnedName_ = name;
    invalidate();
}

bool ComparePage::comparable() const {
    return pinned_ && std::equal(pinned_.shape.begin(), pinned_.shape.end(), array_.shape.begin(), array_.shape.end());
}

void ComparePage::refresh() {
    result_.reset();
    views_->setVisible(comparable());
    showFacts();
    if (!comparable()) {
        jobs_.cancel(this, QStringLiteral("compare"));
        jobs_.cancel(this, QStringLiteral("map"));
        return;
    }
    bar_->setShape(array_.shape);
    map_->clear();
    jobs_.run(
        this, QStringLiteral("compare"),
        [a = pinned_, b = array_](JobContext& context) { return tensors::compare(a, b, kBins, staleOf(context)); },
        [this](tensors::Comparison comparison) {
            errors_->setHistogram(comparison.errors, tr("this − pinned"));
            errors_->setLogarithmic(true);
            result_ = std::move(comparison);
            showFacts();
        });
    askMap();
}

void ComparePage::askMap() {
    const auto measure = static_cast<tensors::Measure>(measure_->currentIndex());
    jobs_.run(
        this, QStringLiteral("map"),
        [a = pinned_, b = array_, slice = bar_->slice(), measure](JobContext& context) {
            return tensors::difference_grid(a, b, slice, measure, HeatMap::kMostCells, staleOf(context));
        },
        [this, measure](tensors::Grid grid) {
            map_->setGrid(
                std::move(grid), bar_->slice(),
                measure == tensors::Measure::signed_error ? ColorScale::Kind::Diverging : ColorScale::Kind::Sequential);
            map_->setElement(element_);
        });
}

void ComparePage::elementChanged() {
    if (!comparable()) {
        return;
    }
    if (element_ >= 0 && bar_->showElement(element_)) {
        askMap();
    }
    map_->setElement(element_);
}

void ComparePage::changeEvent(QEvent* event) {
    TensorPage::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        showFacts();
    }
}

void ComparePage::showFacts() {
    const auto typed = [](const tensors::Array& a) {
        return QString::fromStdString(std::string(name_of(a.dtype)) + " " + to_string(a.shape));
    };
    if (!pinned_) {
        facts_->setText(
            tr("Pin a tensor with “Pin to Compare”, then choose another: the two are compared here.").toHtmlEscaped());
        return;
    }
    const QString muted = theme().mutedText.name();
    QString html = QStringLiteral(
                       "<p><span style='color:%1'>%2</span><br><b>%3</b><br>%4</p><p><span "
                       "style='color:%1'>%5</span><br><b>%6</b><br>%7</p>")
                       .arg(muted, tr("Pinned").toHtmlEscaped(), pinnedName_.toHtmlEscaped(), typed(pinned_),
                            tr("This").toHtmlEscaped(), name_.toHtmlEscaped(), typed(array_));
    if (!comparable()) {
        facts_->setText(
            html +
            QStringLiteral("<p>%1</p>")
                .arg(tr("Their shapes differ, so that there are no pairs of elements to compare.").toHtmlEscaped()));
        return;
    }
    html += QStringLiteral("<table cellspacing='0' cellpadding='2'>");
    const auto row = [&](const QString& name, const QString& value, qint64 element = -1) {
        html += QStringLiteral("<tr><td style='color:%1;padding-right:10px'>%2</td><td>%3")
                    .arg(muted, name.toHtmlEscaped(), value.toHtmlEscaped());
        if (element >= 0) {
            html += QStringLiteral(" <a href='%1' style='color:%2;text-decoration:none'>%3</a>")
                        .arg(element)
                        .arg(theme().related.name(), indexText(element, array_.shape));
        }
        html += QStringLiteral("</td></tr>");
    };
    if (result_) {
        const tensors::Comparison& c = *result_;
        row(tr("Equal"), tr("%1 of %2").arg(integerText(c.equal), integerText(c.count)));
        if (c.first_difference >= 0) {
            row(tr("First difference"), {}, c.first_difference);
        }
        if (c.bad_in_one > 0) {
            row(tr("NaN or Inf in one"), integerText(c.bad_in_one));
        }
        if (c.finite_pairs > 0) {
            row(tr("Largest absolute"), numberText(c.max_absolute), c.max_absolute_at);
            row(tr("Mean absolute"), numberText(c.mean_absolute));
            row(tr("Root mean square"), numberText(c.root_mean_square));
            row(tr("Largest relative"), numberText(c.max_relative), c.max_relative_at);
            row(tr("Mean relative"), numberText(c.mean_relative));
        }
        if (c.ulp_type && c.finite_pairs > 0) {
            row(tr("Largest in ULPs"), integerText(static_cast<qint64>(c.max_ulp)), c.max_ulp_at);
            row(tr("Mean in ULPs"), numberText(c.mean_ulp));
            html += QStringLiteral("<tr><td colspan='2' style='color:%1'><br>%2</td></tr>")
                        .arg(muted, tr("Pairs by ULPs of %1")
                                        .arg(QString::fromStdString(std::string(name_of(*c.ulp_type))))
                                        .toHtmlEscaped());
            for (std::size_t i = 0; i < c.ulps.size(); ++i) {
                if (c.ulps[i] > 0) {
                    const double low = i == 0 ? 0 : std::exp2(static_cast<double>(i) - 1),
                                 high = std::exp2(static_cast<double>(i)) - 1;
                    row(low >= high ? QString::number(low, 'g', 6)
                                    : QStringLiteral("%1–%2").arg(low, 0, 'g', 6).arg(high, 0, 'g', 6),
                        integerText(c.ulps[i]));
                }
            }
        }
    }
    facts_->setText(html + QStringLiteral("</table>"));
}

}  // namespace fusescope::gui
