#include "gui/tensor/summary_page.hpp"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QStackedLayout>
#include <QVBoxLayout>

#include "gui/app/theme.hpp"
#include "gui/plots/histogram_plot.hpp"
#include "gui/tensor/heat_map.hpp"
#include "gui/widgets/format.hpp"
#include "profiler/tensors/element_text.hpp"

namespace fusescope::gui {

namespace {

constexpr int kBins = 64;

QLabel* heading(const QString& text) {
    auto* label = new QLabel(text);
    QFont bold = label->font();
    bold.setWeight(QFont::DemiBold);
    label->setFont(bold);
    return label;
}

}  // namespace

SummaryPage::SummaryPage(Jobs& jobs)
    : jobs_(jobs),
      layers_(new QStackedLayout(this)),
      body_(new QWidget),
      hint_(TensorPage::makeHint()),
      facts_(new QLabel),
      note_(new QLabel),
      histogramBox_(new QWidget),
      histogram_(new HistogramPlot(tr("Histogram of the elements"))),
      history_(new HistoryPlot),
      historyBox_(new QWidget) {
    layers_->addWidget(body_);
    layers_->addWidget(hint_);
    auto* row = new QHBoxLayout(body_);
    row->setContentsMargins(0, 0, 0, 0);
    auto* scroll = new QScrollArea;
    auto* inside = new QWidget;
    auto* left = new QVBoxLayout(inside);
    left->setContentsMargins(10, 6, 6, 6);
    left->addWidget(facts_);
    left->addWidget(note_);
    left->addStretch(1);
    facts_->setObjectName(QStringLiteral("tensorFacts"));
    facts_->setTextInteractionFlags(Qt::TextBrowserInteraction);
    facts_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    note_->setObjectName(QStringLiteral("tensorNote"));
    note_->setWordWrap(true);
    note_->setForegroundRole(QPalette::PlaceholderText);
    note_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    scroll->setWidget(inside);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setMinimumWidth(230);
    scroll->setMaximumWidth(330);
    row->addWidget(scroll, 2);
    auto* right = new QVBoxLayout;
    right->setContentsMargins(0, 4, 6, 4);
    auto* history = new QVBoxLayout(historyBox_);
    history->setContentsMargins(0, 0, 0, 0);
    history->setSpacing(2);
    auto* historyTitle = heading(tr("Over the steps"));
    historyTitle->setToolTip(tr("Mean in the band from least to greatest; crosses where NaN or Inf occurred"));
    history->addWidget(historyTitle);
    history->addWidget(history_, 1);
    auto* bins = new QVBoxLayout(histogramBox_);
    bins->setContentsMargins(0, 0, 0, 0);
    bins->setSpacing(2);
    auto* top = new QHBoxLayout;
    auto* logarithmic = new QCheckBox(tr("Logarithmic"));
    top->addWidget(heading(tr("Histogram")));
    top->addStretch(1);
    top->addWidget(logarithmic);
    bins->addLayout(top);
    bins->addWidget(histogram_, 1);
    right->addWidget(historyBox_, 1);
    right->addWidget(histogramBox_, 1);
    right->addStretch(0);
    row->addLayout(right, 5);
    connect(logarithmic, &QCheckBox::toggled, histogram_, &HistogramPlot::setLogarithmic);
    connect(history_, &HistoryPlot::pointChosen, this, &SummaryPage::runChosen);
    connect(facts_, &QLabel::linkActivated, this,
            [this](const QString& link) { emit elementChosen(link.toLongLong()); });
}

void SummaryPage::setTensor(const tensors::Array& array, const std::optional<query::TensorInfo>& info,
                            const QString& missing) {
    array_ = array;
    info_ = info;
    missing_ = missing;
    statistics_.reset();
    stale_ = true;
    if (isVisible()) {
        update();
    }
}

void SummaryPage::setHistory(const QVector<HistoryPlot::Point>& points, int current) {
    historyBox_->setVisible(points.size() > 1);
    history_->setPoints(points);
    history_->setCurrent(current);
}

void SummaryPage::setCurrentRun(int point) { history_->setCurrent(point); }

void SummaryPage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    update();
}

void SummaryPage::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        showFacts();
    }
}

void SummaryPage::update() {
    if (!std::exchange(stale_, false)) {
        return;
    }
    hint_->setText(missing_);
    layers_->setCurrentWidget(array_ || info_ ? body_ : hint_);
    showFacts();
    histogramBox_->setVisible(array_ && array_.count() > 0);
    if (!array_) {
        jobs_.cancel(this, QStringLiteral("summary"));
        return;
    }
    struct Answer {
        tensors::Statistics statistics;
        tensors::Histogram histogram;
    };
    jobs_.run(
        this, QStringLiteral("summary"),
        [array = array_](JobContext& context) {
            const tensors::Stale stale = [&context] { return context.stale(); };
            return Answer{tensors::statistics(array, stale), tensors::histogram(array, kBins, {}, stale)};
        },
        [this](Answer answer) {
            statistics_ = answer.statistics;
            histogram_->setHistogram(answer.histogram, {});
            showFacts();
        });
}

void SummaryPage::showFacts() {
    QString html = QStringLiteral("<table cellspacing='0' cellpadding='2'>");
    const QString muted = theme().mutedText.name();
    const auto row = [&](const QString& name, const QString& value, qint64 element = -1) {
        html += QStringLiteral("<tr><td style='color:%1;padding-right:12px'>%2</td><td>%3")
                    .arg(muted, name.toHtmlEscaped(), value.toHtmlEscaped());
        if (element >= 0 && array_) {
            html +=
                QStringLiteral(" <a href='%1' style='color:%2;text-decoration:none'>%3</a>")
                    .arg(element)
                    .arg(theme().related.name(),
                         QString::fromStdString(to_string(tensors::index_of(element, array_.shape))).toHtmlEscaped());
        }
        html += QStringLiteral("</td></tr>");
    };
    const auto counted = [&](const QString& name, qint64 count, qint64 element = -1) {
        if (count > 0) {
            row(name, integerText(count), element);
        }
    };
    if (statistics_) {
        const tensors::Statistics& s = *statistics_;
        row(tr("Elements"), integerText(s.count));
        row(tr("Memory"), bytesText(static_cast<double>(s.count) * static_cast<double>(size_of(array_.dtype))));
        row(tr("Health"), s.bad() == 0 ? tr("all finite") : tr("%1 not finite, first at").arg(integerText(s.bad())),
            s.first_bad);
        counted(tr("NaN"), s.nan);
        counted(tr("Inf"), s.positive_inf);
        counted(tr("−Inf"), s.negative_inf);
        if (s.min) {
            row(tr("Least"), QString::fromStdString(tensors::text_of(array_, s.min_at)), s.min_at);
            row(tr("Greatest"), QString::fromStdString(tensors::text_of(array_, s.max_at)), s.max_at);
            row(tr("Mean"), numberText(*s.mean));
            row(tr("Deviation"), numberText(*s.std));
        }
        row(tr("Zeros"),
            QStringLiteral("%1  (%2)")
                .arg(integerText(s.zero),
                     percentText(s.count > 0 ? static_cast<double>(s.zero) / static_cast<double>(s.count) : 0)));
        counted(tr("Negative"), s.negative);
        counted(tr("Subnormal"), s.subnormal);
    } else if (info_) {
        row(tr("Elements"), integerText(info_->count));
        row(tr("Health"), info_->healthy()
                              ? tr("all finite")
                              : tr("%1 NaN, %2 Inf").arg(integerText(info_->nan), integerText(info_->inf)));
        if (info_->first_bad_index) {
            row(tr("First at"), integerText(*info_->first_bad_index));
        }
        if (info_->min && info_->max) {
            row(tr("Least"), numberText(*info_->min));
            row(tr("Greatest"), numberText(*info_->max));
        }
        if (info_->mean && info_->std) {
            row(tr("Mean"), numberText(*info_->mean));
            row(tr("Deviation"), numberText(*info_->std));
        }
        if (info_->zero) {
            row(tr("Zeros"), integerText(*info_->zero));
        }
    }
    facts_->setText(html + QStringLiteral("</table>"));
    note_->setText(array_ ? QString() : missing_);
    note_->setVisible(!note_->text().isEmpty());
}

}  // namespace fusescope::gui
