// The boxes list what ShownStages has and tell it what was chosen.
#include "gui/widgets/stage_picker.hpp"

#include <QSignalBlocker>

#include "gui/widgets/format.hpp"

namespace fusescope::gui {

GraphPicker::GraphPicker(ShownStages& stages, QWidget* parent) : QComboBox(parent), stages_(stages) {
    setAccessibleName(tr("Graph"));
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(14);
    connect(&stages, &ShownStages::graphsChanged, this, &GraphPicker::fill);
    connect(&stages, &ShownStages::shownChanged, this, &GraphPicker::fill);
    connect(this, &QComboBox::activated, this, [this](int index) { stages_.setGraph(itemData(index).toLongLong()); });
    fill();
}

void GraphPicker::fill() {
    const QSignalBlocker blocker(this);
    clear();
    for (const auto& graph : stages_.graphs()) {
        const QString name = graph.name.empty() ? tr("graph %1").arg(graph.id) : QString::fromStdString(graph.name);
        addItem(tr("%1 · %2 nodes").arg(name, integerText(graph.captured_nodes)),
                QVariant::fromValue<qint64>(graph.id));
        setItemData(count() - 1,
                    tr("%1 %2\ncompiled in %3")
                        .arg(name, QString::fromStdString(graph.signature),
                             durationText(static_cast<double>(graph.compile_ns))),
                    Qt::ToolTipRole);
    }
    setCurrentIndex(findData(QVariant::fromValue<qint64>(stages_.graph())));
    setEnabled(count() > 1);
}

StagePicker::StagePicker(ShownStages& stages, int side, QWidget* parent)
    : QComboBox(parent), stages_(stages), side_(side) {
    setAccessibleName(side == 0 ? tr("Stage before") : tr("Stage after"));
    setToolTip(tr("Passes that changed the graph have a dot"));
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(12);
    setMaxVisibleItems(30);
    connect(&stages, &ShownStages::stagesChanged, this, &StagePicker::fill);
    connect(&stages, &ShownStages::shownChanged, this, &StagePicker::fill);
    connect(this, &QComboBox::activated, this,
            [this](int index) { stages_.setStage(side_, itemData(index).toLongLong()); });
    fill();
}

void StagePicker::fill() {
    const QSignalBlocker blocker(this);
    clear();
    const auto& all = stages_.stages();
    for (size_t i = 0; i < all.size(); ++i) {
        const auto& stage = all[i];
        const QString pass = QString::fromStdString(stage.pass);
        QString text = QStringLiteral("%1  %2").arg(stage.ordinal).arg(pass);
        if (i == 0) {
            text += tr(" (as captured)");
        } else if (i + 1 == all.size()) {
            text += tr(" (what ran)");
        }
        text += stage.changed ? tr(" · %1 nodes").arg(integerText(stage.nodes)) : tr(" · no change");
        addItem(stage.changed ? QStringLiteral("● ") + text : QStringLiteral("   ") + text,
                QVariant::fromValue<qint64>(stage.id));
        QString tip = tr("%1 took %2").arg(pass, durationText(static_cast<double>(stage.duration_ns)));
        if (stage.rewrites > 0) {
            tip += tr(", rewrites: %1").arg(integerText(stage.rewrites));
        }
        if (!stage.note.empty()) {
            tip += QStringLiteral("\n") + QString::fromStdString(stage.note);
        }
        setItemData(count() - 1, tip, Qt::ToolTipRole);
    }
    setCurrentIndex(findData(QVariant::fromValue<qint64>(stages_.shown(side_))));
    setEnabled(count() > 0);
}

}  // namespace fusescope::gui
