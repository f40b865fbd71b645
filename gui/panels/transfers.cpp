// Panel: copies between host and device, over time or bandwidth against size, and by cause.
#include "profiler/query/transfers.hpp"

#include <QComboBox>
#include <QHBoxLayout>
#include <QSplitter>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/app/panel.hpp"
#include "gui/app/session.hpp"
#include "gui/plots/bar_plot.hpp"
#include "gui/plots/transfer_plot.hpp"
#include "gui/widgets/format.hpp"

namespace fusescope::gui {

namespace {

constexpr std::int64_t kPage = 5000;
constexpr qsizetype kMostPoints = 50000;

class TransfersPanel : public Panel {
    Q_OBJECT

 public:
    explicit TransfersPanel(Session& session)
        : Panel(session), plot_(new TransferPlot), causes_(new BarPlot(tr("Transfers by cause"))) {
        auto* column = new QVBoxLayout(this);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(0);
        auto* bar = new QHBoxLayout;
        bar->setContentsMargins(6, 4, 6, 4);
        auto* axes = new QComboBox;
        axes->addItems({tr("size over time"), tr("bandwidth by size")});
        axes->setAccessibleName(tr("What is drawn"));
        axes->setObjectName("transferAxes");
        bar->addWidget(axes);
        bar->addStretch(1);
        column->addLayout(bar);
        connect(axes, &QComboBox::currentIndexChanged, this, [this](int choice) {
            plot_->setAxes(choice == 0 ? TransferPlot::Axes::SizeOverTime : TransferPlot::Axes::BandwidthBySize);
        });
        plot_->setObjectName("transferPlot");
        auto* splitter = new QSplitter(Qt::Horizontal);
        splitter->addWidget(plot_);
        splitter->addWidget(causes_);
        splitter->setChildrenCollapsible(false);
        splitter->setStretchFactor(0, 3);
        splitter->setStretchFactor(1, 2);
        column->addWidget(splitter, 1);
        causes_->setFormat(bytesText, true);
        connect(plot_, &TransferPlot::chosen, &session, &Session::select);
    }

 protected:
    void reload() override {
        struct Answer {
            QVector<TransferPlot::Point> points;
            std::vector<query::TransferSum> sums;
        };
        session_.jobs().run(
            this, QStringLiteral("transfers"),
            [zero = static_cast<double>(session_.summary().zeroNs)](JobContext& context) {
                Answer answer;
                answer.sums = query::transfer_sums(context.database());
                std::int64_t last = 0;
                while (answer.points.size() < kMostPoints && !context.stale()) {
                    const auto page = query::transfers(context.database(), last, kPage);
                    if (page.empty()) {
                        break;
                    }
                    last = page.back().id;
                    for (const auto& transfer : page) {
                        answer.points.push_back(
                            {transfer.id, static_cast<double>(transfer.start_ns) - zero,
                             static_cast<double>(transfer.bytes), static_cast<double>(transfer.duration_ns),
                             QString::fromStdString(transfer.kind), QString::fromStdString(transfer.reason),
                             transfer.clock == Clock::modelled});
                    }
                }
                return answer;
            },
            [this](Answer answer) {
                plot_->setPoints(std::move(answer.points));
                sums_ = std::move(answer.sums);
                drawCauses();
            });
    }

    void clear() override {
        plot_->setPoints({});
        sums_.clear();
        drawCauses();
    }

    void showSelection(const Selection& selection) override {
        plot_->setMarked(selection.kind == Selection::Kind::Transfer ? QSet<qint64>{selection.id} : QSet<qint64>());
    }

    void showRelated(const Related& related) override {
        if (related.of.kind != Selection::Kind::Transfer) {
            plot_->setMarked(related.transfers);
        }
    }

    void changeEvent(QEvent* event) override {
        Panel::changeEvent(event);
        if (event->type() == QEvent::PaletteChange) {
            drawCauses();
        }
    }

 private:
    void drawCauses() {
        QVector<BarPlot::Bar> bars;
        for (const auto& sum : sums_) {
            const QString kind = QString::fromStdString(sum.kind);
            bars.push_back({TransferPlot::reasonText(QString::fromStdString(sum.reason)),
                            static_cast<double>(sum.bytes),
                            QStringLiteral("%1 · %2× · %3")
                                .arg(bytesText(static_cast<double>(sum.bytes)), integerText(sum.count),
                                     durationText(static_cast<double>(sum.duration_ns))),
                            sum.clock == Clock::modelled,
                            TransferPlot::kindColor(kind),
                            {}});
        }
        causes_->setBars(std::move(bars));
    }

    TransferPlot* plot_;
    BarPlot* causes_;
    std::vector<query::TransferSum> sums_;
};

}  // namespace

}  // namespace fusescope::gui

namespace fusescope {

gui::PanelDefinition panel_transfers() {
    return {QStringLiteral("transfers"),
            QT_TRANSLATE_NOOP("panel", "Transfers"),
            QStringLiteral("transfer"),
            gui::DockPlace::Bottom,
            5,
            QKeySequence(Qt::CTRL | Qt::Key_7),
            [](gui::Session& session) { return new gui::TransfersPanel(session); }};
}

}  // namespace fusescope

#include "transfers.moc"
