// A line to search in with "3 of 12", previous and next.
#pragma once

#include <QLabel>
#include <QLineEdit>
#include <QToolButton>
#include <QWidget>

namespace fusescope::gui {

class SearchBar : public QWidget {
    Q_OBJECT

 public:
    explicit SearchBar(const QString& prompt, QWidget* parent = nullptr);

    QString text() const { return edit_->text(); }
    void setText(const QString& text) { edit_->setText(text); }
    /// `current` counts from 0; -1 hides the position. No text hides the label.
    void setPosition(int current, int count);
    void focus();

 signals:
    void textChanged(const QString& text);
    void next();
    void previous();

 protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

 private:
    QLineEdit* edit_;
    QLabel* position_;
    QToolButton* previous_;
    QToolButton* next_;
};

}  // namespace fusescope::gui
