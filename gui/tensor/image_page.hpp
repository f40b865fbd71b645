// The tensor as a picture.
#pragma once

#include <QImage>

#include "gui/tensor/tensor_page.hpp"

class QComboBox;
class QLabel;
class QSpinBox;

namespace fusescope::gui {

class ImagePage : public TensorPage {
    Q_OBJECT

 public:
    explicit ImagePage(Jobs& jobs);
    const QImage& image() const { return image_; }

 protected:
    void refresh() override;
    bool eventFilter(QObject* watched, QEvent* event) override;

 private:
    void fill();
    void ask();

    QComboBox* layout_;
    QComboBox* channel_;
    QComboBox* range_;
    QSpinBox* number_;
    QLabel* note_;
    QWidget* canvas_;
    QImage image_;
};

}  // namespace fusescope::gui
