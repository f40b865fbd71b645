// A flat button with an icon that follows the theme.
#pragma once

#include <QString>
#include <QToolButton>

namespace fusescope::gui {

class IconButton : public QToolButton {
    Q_OBJECT

 public:
    /// `tip` is the accessible name too.
    IconButton(const QString& iconName, const QString& tip, QWidget* parent = nullptr);

 protected:
    void changeEvent(QEvent* event) override;

 private:
    QString iconName_;
};

}  // namespace fusescope::gui
