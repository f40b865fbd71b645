// A line as small as a word: a mean over time in the band of its extremes.
#pragma once

#include <QVector>
#include <QWidget>

namespace fusescope::gui {

class Sparkline : public QWidget {
    Q_OBJECT

 public:
    struct Point {
        double low = 0, middle = 0, high = 0;
        bool bad = false;
    };

    explicit Sparkline(const QString& accessibleName, QWidget* parent = nullptr);

    void setPoints(QVector<Point> points, int current);

    QSize sizeHint() const override { return {110, 22}; }
    QSize minimumSizeHint() const override { return {60, 18}; }

 protected:
    void paintEvent(QPaintEvent* event) override;

 private:
    QVector<Point> points_;
    int current_ = -1;
};

}  // namespace fusescope::gui
