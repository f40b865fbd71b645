// What the painter of a timeline needs to know: data, the part in sight, and what is marked.
#pragma once

#include <QColor>
#include <QHash>
#include <QSet>
#include <QStaticText>
#include <memory>
#include <optional>

#include "gui/timeline/timeline_data.hpp"

class QPainter;

namespace fusescope::gui {

struct TimelineScene {
    static constexpr int kRulerHeight = 24;

    struct PlacedRow {
        int lane = 0;
        int row = 0;
        int top = 0;  ///< below the ruler, before scrolling
        int height = 0;
    };

    std::shared_ptr<const TimelineData> data;
    double begin = 0;  ///< time at the left edge of the rows
    double nsPerPixel = 1;
    int labelWidth = 120;
    int width = 1;   ///< of the rows
    int height = 1;  ///< of the whole viewport
    int scrolled = 0;
    QVector<PlacedRow> rows;
    QSet<QString> closed;  ///< names of lanes of which only the main rows are shown
    Selection selected;
    QSet<qint64> relatedEvents, relatedTransfers;
    std::optional<TimeRange> marked;
    bool focused = false;

    double timeAt(double x) const { return begin + (x - labelWidth) * nsPerPixel; }
    double xOf(double time) const { return labelWidth + (time - begin) / nsPerPixel; }
    double end() const { return begin + width * nsPerPixel; }
    int topOf(const PlacedRow& row) const { return kRulerHeight + row.top - scrolled; }

    /// Puts the rows of all lanes below each other; returns the height of all.
    int place();
    const PlacedRow* placed(int lane, int row) const;
    /// Rows of the lane can be closed.
    bool closable(int lane) const;
    const TimelineRow& rowOf(const PlacedRow& placed) const { return data->lanes[placed.lane].rows[placed.row]; }
};

/// Keeps from frame to frame what is dear to make. GUI thread only.
class TimelinePainter {
 public:
    void paint(QPainter& painter, const TimelineScene& scene);
    /// After the data, the font or the theme have changed.
    void forget() {
        texts_.clear();
        colors_.clear();
    }

 private:
    void paintRuler(QPainter& painter, const TimelineScene& scene) const;
    void paintSlices(QPainter& painter, const TimelineScene& scene, const TimelineScene::PlacedRow& placed);
    void paintFlags(QPainter& painter, const TimelineScene& scene, const TimelineScene::PlacedRow& placed) const;
    void paintLaunches(QPainter& painter, const TimelineScene& scene, const TimelineScene::PlacedRow& placed) const;
    void paintCounter(QPainter& painter, const TimelineScene& scene, const TimelineScene::PlacedRow& placed) const;
    void paintLabels(QPainter& painter, const TimelineScene& scene) const;
    void paintMarked(QPainter& painter, const TimelineScene& scene) const;
    const QStaticText& text(const QPainter& painter, const TimelineData& data, quint32 label, int width);

    QHash<quint64, QStaticText> texts_;
    QHash<quint32, QColor> colors_;  ///< of ops
    std::vector<TimelinePiece> pieces_;
};

/// Arrows from launch to execution and between transfers and ops: of the selection, and of all in sight when they are
/// few.
void paintFlows(QPainter& painter, const TimelineScene& scene);
/// For tests: how many arrows paintFlows draws.
int countFlows(const TimelineScene& scene);

}  // namespace fusescope::gui
