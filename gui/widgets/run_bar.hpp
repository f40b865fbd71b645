// The bar above the window's panels that offers to run a script, shows that it runs, and tells how it ended.
#pragma once

#include <QComboBox>
#include <QFrame>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QToolButton>

#include "gui/app/recording.hpp"

namespace fusescope::gui {

class RunBar : public QFrame {
    Q_OBJECT

 public:
    explicit RunBar(QWidget* parent = nullptr);

    void offer(const QString& script);
    void showRunning(const QString& script);
    /// Something else than a recording is under way with the script: rich text.
    void showBusy(const QString& script, const QString& text);
    void showEnded(const QString& how, bool ok);
    /// A sentence with nothing to run.
    void showMessage(const QString& text, bool ok);
    void dismiss();
    /// Asks for the run that is offered, as the buttons do.
    void start();
    void startDebugging();
    bool isOffering() const { return isVisible() && run_->isVisible(); }
    QString script() const { return script_; }
    QString text() const { return message_->text(); }
    /// As it is filled in, for whatever is done with the script.
    RecordOptions chosen() const;

 signals:
    void runRequested(const fusescope::gui::RecordOptions& options);
    void debugRequested(const fusescope::gui::RecordOptions& options);
    void stopRequested();
    /// Other words are shown, or none.
    void changed();

 protected:
    void changeEvent(QEvent* event) override;

 private:
    enum class State { Offer, Running, Ended, Message };
    void show(State state);
    void tint();
    void retranslate();

    QString script_;
    QString busyText_;  ///< what is said while something runs; empty for a recording
    QLabel* message_;
    QComboBox* mode_;
    QComboBox* device_;
    QComboBox* watch_;
    QLineEdit* arguments_;
    QWidget* choices_;
    QPushButton* run_;
    QPushButton* debug_;
    QPushButton* stop_;
    QToolButton* close_;
    QProgressBar* busy_;
    State state_ = State::Offer;
    bool ok_ = true;
};

}  // namespace fusescope::gui
