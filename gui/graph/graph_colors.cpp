// Sums over what a box shows, and from them its colour.
#include "gui/graph/graph_colors.hpp"

#include <QCoreApplication>
#include <QSet>
#include <algorithm>

#include "gui/app/theme.hpp"
#include "gui/widgets/format.hpp"

namespace fusescope::gui {

namespace {

struct GraphColorWords {
    Q_DECLARE_TR_FUNCTIONS(GraphColorWords)
};

// Okabe and Ito's vermilion and orange, darker or lighter for the theme.
QColor nanColor() { return theme().dark ? QColor("#ff8a5c") : QColor("#d55e00"); }
QColor infColor() { return theme().dark ? QColor("#f0c04a") : QColor("#c98a00"); }

QColor deviceColor(const QString& device) {
    return device.isEmpty() ? QColor() : device == QLatin1String("cpu") ? theme().host : theme().device;
}

constexpr int kLegendKinds = 8;

}  // namespace

QColor colorOfChange(Change change) {
    const bool dark = theme().dark;
    switch (change) {
        case Change::Added:
            return dark ? QColor("#5cb8f0") : QColor("#0072b2");
        case Change::Removed:
            return dark ? QColor("#ff8a5c") : QColor("#d55e00");
        case Change::Changed:
            return dark ? QColor("#e8cf4a") : QColor("#b8960a");
        case Change::Fused:
            return dark ? QColor("#d992bb") : QColor("#b3578f");
        case Change::None:
            break;
    }
    return {};
}

QString signOfChange(Change change) {
    switch (change) {
        case Change::Added:
            return QStringLiteral("+");
        case Change::Removed:
            return QStringLiteral("−");
        case Change::Changed:
            return QStringLiteral("≠");
        case Change::Fused:
            return QStringLiteral("⊂");
        case Change::None:
            break;
    }
    return {};
}

QString textOfChange(Change change) {
    switch (change) {
        case Change::Added:
            return GraphColorWords::tr("added");
        case Change::Removed:
            return GraphColorWords::tr("removed");
        case Change::Changed:
            return GraphColorWords::tr("changed");
        case Change::Fused:
            return GraphColorWords::tr("fused");
        case Change::None:
            break;
    }
    return GraphColorWords::tr("unchanged");
}

Change changeOf(const GraphNode& node, const GraphFacts& facts) {
    return node.change != Change::None ? node.change : facts.value(node.id).change;
}

GraphColors::GraphColors(GraphColoring coloring, const VisibleGraph& graph, const GraphFacts& facts)
    : coloring_(coloring), graph_(graph), facts_(facts), sums_(graph.boxes.size()) {
    if (!graph.tree) {
        return;
    }
    const auto& items = graph.tree->items;
    for (int i = 0; i < items.size(); ++i) {
        const int box = graph.boxOfItem[i];
        if (items[i].node == 0 || box < 0) {
            continue;
        }
        // The inside of a kernel is part of it: time and bytes are told of the kernel.
        const bool inside = graph.boxes[box].node != items[i].node && graph.boxes[box].node != 0;
        const GraphNode& node = *graph.tree->data->find(items[i].node);
        Sum& sum = sums_[box];
        ++sum.changes[static_cast<int>(changeOf(node, facts))];
        if (inside) {
            continue;
        }
        const bool within = items[i].parent >= 0 && items[items[i].parent].node != 0;
        if (graph.boxes[box].node != 0 || !within) {
            sum.bytes += static_cast<double>(node.bytes);
        }
        const auto fact = facts.constFind(node.id);
        if (fact == facts.constEnd()) {
            continue;
        }
        if (fact->timeShare >= 0) {
            // A node alone shows its kernel's whole share; in a sum each member has its part.
            const double weight = graph.boxes[box].node == node.id ? 1 : fact->weight;
            sum.time = std::max(sum.time, 0.0) + fact->timeShare * weight;
            sum.ofKernel = fact->ofKernel && graph.boxes[box].node == node.id;
            sum.modelled |= fact->modelled;
        }
        if (sum.device.isEmpty()) {
            sum.device = fact->device;
        }
        sum.nan += fact->nan;
        sum.inf += fact->inf;
    }
    for (int i = 0; i < sums_.size(); ++i) {
        mostTime_ = std::max(mostTime_, sums_[i].time);
        mostBytes_ = std::max(mostBytes_, sums_[i].bytes);
    }
}

BoxPaint GraphColors::byKind(int box) const {
    const VisibleBox& b = graph_.boxes[box];
    if (b.leaf || b.node == 0 || b.title == QLatin1String("Return")) {
        return {};
    }
    return {theme().colorOfKind(b.title), {}, false, {}};
}

BoxPaint GraphColors::paintOf(int box) const {
    const VisibleBox& b = graph_.boxes[box];
    const Sum& sum = sums_[box];
    BoxPaint paint;
    switch (coloring_) {
        case GraphColoring::Kind:
            return byKind(box);
        case GraphColoring::Time:
            if (sum.time >= 0 && mostTime_ > 0 && !b.leaf) {
                paint.fill = theme().colorOfShare(sum.time / mostTime_);
                paint.hatched = sum.modelled;
                paint.sign = (sum.ofKernel ? QStringLiteral("⊂ ") : QString()) + percentText(sum.time);
            }
            break;
        case GraphColoring::Memory:
            if (sum.bytes > 0 && mostBytes_ > 0) {
                paint.fill = theme().colorOfShare(sum.bytes / mostBytes_);
                paint.sign = bytesText(sum.bytes);
            }
            break;
        case GraphColoring::Device:
            paint.hue = deviceColor(sum.device);
            paint.hatched = sum.device.contains(QLatin1String("model"));
            break;
        case GraphColoring::Health:
            if (sum.nan > 0 || sum.inf > 0) {
                paint.hue = sum.nan > 0 ? nanColor() : infColor();
                paint.fill = paint.hue;
                paint.fill.setAlpha(theme().dark ? 90 : 60);
                paint.sign = sum.nan > 0 ? QStringLiteral("NaN") : QStringLiteral("Inf");
            }
            break;
        case GraphColoring::Change: {
            const GraphNode* node = b.node != 0 ? graph_.tree->data->find(b.node) : nullptr;
            Change change = node ? changeOf(*node, facts_) : Change::None;
            for (int k = 1; !node && k < 5; ++k) {
                // A scope shows that something in it changed; which is seen when it is opened.
                change =
                    sum.changes[k] > 0 ? (change == Change::None ? static_cast<Change>(k) : Change::Changed) : change;
            }
            paint.hue = colorOfChange(change);
            if (paint.hue.isValid()) {
                paint.fill = paint.hue;
                paint.fill.setAlpha(theme().dark ? 70 : 40);
                paint.sign = signOfChange(change);
            }
            break;
        }
    }
    return paint;
}

GraphLegend GraphColors::legend() const {
    GraphLegend legend;
    QSet<QString> seen;
    switch (coloring_) {
        case GraphColoring::Kind: {
            legend.title = GraphColorWords::tr("Op kind");
            QHash<QString, int> counts;
            for (const VisibleBox& box : graph_.boxes) {
                if (box.node != 0 && !box.leaf && box.title != QLatin1String("Return")) {
                    ++counts[box.title];
                }
            }
            QVector<QPair<int, QString>> most;
            for (auto it = counts.cbegin(); it != counts.cend(); ++it) {
                most.push_back({-it.value(), it.key()});
            }
            std::sort(most.begin(), most.end());
            for (int i = 0; i < most.size() && i < kLegendKinds; ++i) {
                legend.entries.push_back({theme().colorOfKind(most[i].second), most[i].second});
            }
            if (most.size() > kLegendKinds) {
                legend.entries.push_back(
                    {QColor(), GraphColorWords::tr("… and %1 more").arg(most.size() - kLegendKinds)});
            }
            break;
        }
        case GraphColoring::Time:
            legend.title = GraphColorWords::tr("Share of the graph's time");
            legend.ramp = mostTime_ > 0;
            if (legend.ramp) {
                legend.entries = {{theme().colorOfShare(0), GraphColorWords::tr("0 %")},
                                  {theme().colorOfShare(1), percentText(mostTime_)}};
            } else {
                legend.entries = {{QColor(), GraphColorWords::tr("not timed")}};
            }
            if (std::any_of(sums_.begin(), sums_.end(), [](const Sum& sum) { return sum.modelled; })) {
                legend.entries.push_back(
                    {theme().colorOfShare(0.5), GraphColorWords::tr("modelled, not measured"), true});
            }
            break;
        case GraphColoring::Memory:
            legend.title = GraphColorWords::tr("Bytes read and written");
            legend.ramp = mostBytes_ > 0;
            if (legend.ramp) {
                legend.entries = {{theme().colorOfShare(0), bytesText(0)},
                                  {theme().colorOfShare(1), bytesText(mostBytes_)}};
            } else {
                legend.entries = {{QColor(), GraphColorWords::tr("not known")}};
            }
            break;
        case GraphColoring::Device:
            legend.title = GraphColorWords::tr("Device");
            for (const Sum& sum : sums_) {
                if (!sum.device.isEmpty() && !seen.contains(sum.device)) {
                    seen.insert(sum.device);
                    legend.entries.push_back(
                        {deviceColor(sum.device), sum.device, sum.device.contains(QLatin1String("model"))});
                }
            }
            legend.entries.push_back({theme().border, GraphColorWords::tr("did not run by itself")});
            break;
        case GraphColoring::Health:
            legend.title = GraphColorWords::tr("Health of outputs");
            legend.entries = {{nanColor(), GraphColorWords::tr("NaN seen")},
                              {infColor(), GraphColorWords::tr("Inf seen")},
                              {theme().border, GraphColorWords::tr("nothing bad seen")}};
            break;
        case GraphColoring::Change:
            legend.title = GraphColorWords::tr("Between the two stages");
            for (const Change change : {Change::Added, Change::Removed, Change::Changed, Change::Fused}) {
                legend.entries.push_back(
                    {colorOfChange(change), signOfChange(change) + QStringLiteral("  ") + textOfChange(change)});
            }
            legend.entries.push_back({theme().border, textOfChange(Change::None)});
            break;
    }
    return legend;
}

}  // namespace fusescope::gui
