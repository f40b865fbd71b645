#include "gui/widgets/sparkline.hpp"

#include <QPainter>
#include <algorithm>

#include "gui/app/theme.hpp"

namespace fusescope::gui {

Sparkline::Sparkline(const QString& accessibleName, QWidget* parent) : QWidget(parent) {
    setAccessibleName(accessibleName);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void Sparkline::setPoints(QVector<Point> points, int current) {
    points_ = std::move(points);
    current_ = current;
    update();
}

void Sparkline::paintEvent(QPaintEvent*) {
    if (points_.size() < 2) {
        return;
    }
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    double least = points_[0].low, most = points_[0].high;
    for (const Point& p : std::as_const(points_)) {
        least = std::min(least, p.low);
        most = std::max(most, p.high);
    }
    const double last = static_cast<double>(points_.size() - 1), tall = most > least ? most - least : 1;
    const auto at = [&](int i, double value) {
        return QPointF(2 + i * (width() - 4) / last, height() - 2 - (value - least) / tall * (height() - 4));
    };
    QPolygonF band, line;
    // As many points as there are pixels are enough.
    const int step = std::max(1, static_cast<int>(points_.size()) / std::max(1, width()));
    for (int i = 0; i < points_.size(); i += step) {
        band << at(i, points_[i].high);
        line << at(i, points_[i].middle);
    }
    for (int i = static_cast<int>(points_.size()) - 1; i >= 0; i -= step) {
        band << at(i, points_[i].low);
    }
    QColor fill = theme().device;
    fill.setAlpha(70);
    painter.setPen(Qt::NoPen);
    painter.setBrush(fill);
    painter.drawPolygon(band);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme().text, 1.2));
    painter.drawPolyline(line);
    painter.setPen(Qt::NoPen);
    for (int i = 0; i < points_.size(); ++i) {
        if (points_[i].bad || i == current_) {
            painter.setBrush(i == current_ ? theme().accent : theme().error);
            painter.drawEllipse(at(i, points_[i].middle), 2.4, 2.4);
        }
    }
}

}  // namespace fusescope::gui
