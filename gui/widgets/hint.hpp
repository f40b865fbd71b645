// A muted sentence in the middle of a view that has nothing to show, saying why.
#pragma once

#include <QAbstractScrollArea>
#include <QLabel>

namespace fusescope::gui {

class Hint : public QLabel {
    Q_OBJECT

 public:
    explicit Hint(QAbstractScrollArea& view);

    /// Empty hides it.
    void setText(const QString& text);

 protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace fusescope::gui
