// Panel: is an op bound by memory or by arithmetic, and how far from the best of the run?
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include "gui/app/panel.hpp"
#include "gui/app/session.hpp"
#include "gui/app/theme.hpp"
#include "gui/models/op_model.hpp"
#include "gui/plots/roofline_plot.hpp"
#include "gui/widgets/format.hpp"
#include "gui/widgets/range_bar.hpp"

namespace fusescope::gui {

namespace {

class RooflinePanel : public Panel {
    Q_OBJECT

 public:
    explicit RooflinePanel(Session& session)
        : Panel(session), grouping_(new QComboBox), words_(new QLabel), plot_(new RooflinePlot) {
        auto* column = new QVBoxLayout(this);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(0);
        auto* bar = new QHBoxLayout;
        bar->setContentsMargins(6, 4, 6, 4);
        grouping_->addItems({tr("by op kind"), tr("by source line"), tr("by kernel"), tr("by scope")});
        grouping_->setAccessibleName(tr("What a dot stands for"));
        grouping_->setObjectName("rooflineGrouping");
        words_->setForegroundRole(QPalette::PlaceholderText);
        words_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
        bar->addWidget(grouping_);
        bar->addSpacing(6);
        bar->addWidget(words_, 1);
        bar->addWidget(new RangeBar(session));
        column->addLayout(bar);
        column->addWidget(plot_, 1);
        plot_->setObjectName("rooflinePlot");
        connect(grouping_, &QComboBox::currentIndexChanged, this, [this] {
            if (session_.hasProfile()) {
                reload();
            }
        });
        connect(plot_, &RooflinePlot::chosen, &session, &Session::select);
        connect(&session, &Session::timeRangeChanged, this, [this] { invalidate(); });
    }

 protected:
    void reload() override {
        const auto grouping = static_cast<OpGrouping>(grouping_->currentIndex());
        session_.jobs().run(
            this, QStringLiteral("rows"),
            [grouping, filter = filterOf(session_.timeRange())](JobContext& context) {
                return opRows(context.database(), grouping, filter);
            },
            [this](QVector<OpRow> rows) {
                rows_ = std::move(rows);
                draw();
            });
    }

    void clear() override {
        rows_.clear();
        draw();
    }

    void showSelection(const Selection& selection) override {
        if (selection.isNone()) {
            plot_->setMarked({});
        }
    }

    void showRelated(const Related& related) override {
        plot_->setMarked([related](const RooflinePlot::Point& point) { return related.marks(point.target); });
    }

    void changeEvent(QEvent* event) override {
        Panel::changeEvent(event);
        if (event->type() == QEvent::PaletteChange) {
            draw();
        }
    }

 private:
    void draw() {
        const bool kinds = grouping_->currentIndex() == static_cast<int>(OpGrouping::Kind);
        QVector<RooflinePlot::Point> points;
        for (const auto& row : std::as_const(rows_)) {
            RooflinePlot::Point point;
            point.label = row.name;
            point.flops = static_cast<double>(row.flops);
            point.bytes = static_cast<double>(row.bytes);
            point.ns = static_cast<double>(row.totalNs);
            point.share = row.share;
            point.modelled = row.modelled;
            point.color = kinds ? theme().colorOfKind(row.name) : theme().device;
            point.target = row.target;
            points.push_back(std::move(point));
        }
        plot_->setPoints(std::move(points));
        const auto left = rows_.size() - plot_->points().size();
        words_->setText(rows_.isEmpty() ? QString()
                        : left > 0
                            ? tr("roofs: the best that any of them reached in this run · %1 with no FLOPs not shown")
                                  .arg(integerText(left))
                            : tr("roofs: the best that any of them reached in this run"));
    }

    QComboBox* grouping_;
    QLabel* words_;
    RooflinePlot* plot_;
    QVector<OpRow> rows_;
};

}  // namespace

}  // namespace fusescope::gui

namespace fusescope {

gui::PanelDefinition panel_roofline() {
    return {QStringLiteral("roofline"),
            QT_TRANSLATE_NOOP("panel", "Roofline"),
            QStringLiteral("roofline"),
            gui::DockPlace::Bottom,
            4,
            QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_6),
            [](gui::Session& session) { return new gui::RooflinePanel(session); }};
}

}  // namespace fusescope

#include "roofline.moc"
