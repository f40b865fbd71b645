// A line to type in over the middle of the window, with a list of what one may mean below it.
#pragma once

#include <QAbstractListModel>
#include <QFrame>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPointer>
#include <QToolButton>

namespace fusescope::gui {

/// One line of the list.
struct Choice {
    QString kind;    ///< muted, in front
    QString text;    ///< what it is
    QString detail;  ///< muted, at the right
    bool enabled = true;
};

class ChoiceModel : public QAbstractListModel {
    Q_OBJECT

 public:
    enum Roles { KindRole = Qt::UserRole + 1, DetailRole };

    using QAbstractListModel::QAbstractListModel;
    void setChoices(QVector<Choice> choices);
    const QVector<Choice>& choices() const { return choices_; }
    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

 private:
    QVector<Choice> choices_;
};

/// All by keyboard: arrows and page keys walk the list while one types, Enter chooses, Escape gives up.
class Chooser : public QFrame {
    Q_OBJECT

 public:
    /// `window` is what it lies over.
    explicit Chooser(QWidget* window);

    void open(const QString& text);
    void dismiss();
    void selectAll() { edit_->selectAll(); }
    bool isOpen() const { return isVisible(); }
    QString text() const { return edit_->text(); }
    bool isExpression() const { return expression_->isChecked(); }
    /// The row that is chosen stays so when it is still there, else the first is.
    void setChoices(QVector<Choice> choices);
    const QVector<Choice>& choices() const { return model_->choices(); }
    /// A sentence below the list; empty for none.
    void setNote(const QString& note);
    void setPrompt(const QString& prompt);

 signals:
    /// What is typed, or how it is read, has changed.
    void changed();
    void chosen(int row);

 protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;

 private:
    void place();
    void retranslate();
    void choose();

    QLineEdit* edit_;
    QToolButton* expression_;
    QListView* list_;
    QLabel* note_;
    ChoiceModel* model_;
    QPointer<QWidget> before_;  ///< had the keyboard
    bool walked_ = false;       ///< the row was chosen by the user
};

}  // namespace fusescope::gui
