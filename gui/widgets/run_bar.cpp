// Offer, running, ended: three states of one bar.
#include "gui/widgets/run_bar.hpp"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QProcess>

#include "gui/app/theme.hpp"

namespace fusescope::gui {

namespace {

// The words are those of the command line; texts come with the language.
QComboBox* choice(const QStringList& words) {
    auto* box = new QComboBox;
    for (const QString& word : words) {
        box->addItem(QString(), word);
    }
    return box;
}

void name(QComboBox& box, const QString& name, const QStringList& texts) {
    box.setAccessibleName(name);
    box.setToolTip(name);
    for (int i = 0; i < texts.size(); ++i) {
        box.setItemText(i, texts[i]);
    }
}

}  // namespace

RunBar::RunBar(QWidget* parent) : QFrame(parent), message_(new QLabel), choices_(new QWidget) {
    setFrameShape(QFrame::NoFrame);
    setAutoFillBackground(true);
    setObjectName("runBar");
    mode_ = choice({"script", "eager", "graph"});
    device_ = choice({"script", "cpu", "ascend-model", "ascend"});
    watch_ = choice({"health", "off", "stats", "values"});
    arguments_ = new QLineEdit;
    arguments_->setMaximumWidth(180);
    auto* row = new QHBoxLayout(choices_);
    row->setContentsMargins(0, 0, 0, 0);
    for (QWidget* widget : std::initializer_list<QWidget*>{mode_, device_, watch_, arguments_}) {
        row->addWidget(widget);
    }
    run_ = new QPushButton;
    run_->setDefault(true);
    debug_ = new QPushButton;
    stop_ = new QPushButton;
    close_ = new QToolButton;
    close_->setText(QStringLiteral("×"));
    close_->setAutoRaise(true);
    busy_ = new QProgressBar;
    busy_->setRange(0, 0);
    busy_->setMaximumWidth(90);
    busy_->setTextVisible(false);
    message_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    message_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* line = new QHBoxLayout(this);
    line->setContentsMargins(10, 6, 6, 6);
    line->addWidget(message_, 1);
    for (QWidget* widget : std::initializer_list<QWidget*>{choices_, busy_, run_, debug_, stop_, close_}) {
        line->addWidget(widget);
    }
    connect(run_, &QPushButton::clicked, this, &RunBar::start);
    connect(debug_, &QPushButton::clicked, this, &RunBar::startDebugging);
    connect(stop_, &QPushButton::clicked, this, &RunBar::stopRequested);
    connect(close_, &QToolButton::clicked, this, &RunBar::dismiss);
    retranslate();
    hide();
}

void RunBar::retranslate() {
    name(*mode_, tr("Mode"), {tr("mode: as the script says"), tr("mode: eager"), tr("mode: graph")});
    name(*device_, tr("Device"),
         {tr("device: as the script says"), tr("device: CPU"), tr("device: Ascend model"), tr("device: Ascend")});
    name(*watch_, tr("What is looked at in every result"),
         {tr("watch: NaN and Inf"), tr("watch: off"), tr("watch: statistics"), tr("watch: values")});
    arguments_->setPlaceholderText(tr("arguments"));
    arguments_->setAccessibleName(tr("Arguments of the script"));
    run_->setText(state_ == State::Ended ? tr("Run again") : tr("Run and record"));
    run_->setToolTip(tr("Run it to its end, recording what it does (Ctrl+F5)"));
    debug_->setText(tr("Debug"));
    debug_->setToolTip(tr("Run it under the debugger, to the first breakpoint (F5)"));
    stop_->setText(tr("Stop"));
    stop_->setToolTip(tr("Stop it and keep what is known by then (Shift+F5)"));
    close_->setToolTip(tr("Hide this bar"));
    close_->setAccessibleName(tr("Hide this bar"));
    // How a program ended was said in the language of then.
    const QString file = QFileInfo(script_).fileName().toHtmlEscaped();
    if (!file.isEmpty() && state_ == State::Offer) {
        message_->setText(tr("Run <b>%1</b>? It runs as your user, in a process of its own.").arg(file));
    } else if (state_ == State::Running && !busyText_.isEmpty()) {
        message_->setText(busyText_);
    } else if (!file.isEmpty() && state_ == State::Running) {
        message_->setText(tr("<b>%1</b> is running; the panels show it as it is recorded.").arg(file));
    }
}

void RunBar::start() {
    if (!script_.isEmpty() && state_ != State::Running) {
        emit runRequested(chosen());
    }
}

void RunBar::startDebugging() {
    if (!script_.isEmpty() && state_ != State::Running) {
        emit debugRequested(chosen());
    }
}

RecordOptions RunBar::chosen() const {
    RecordOptions options;
    options.script = script_;
    options.mode = mode_->currentData().toString();
    options.device = device_->currentData().toString();
    options.watch = watch_->currentData().toString();
    options.arguments = QProcess::splitCommand(arguments_->text());
    return options;
}

void RunBar::offer(const QString& script) {
    script_ = script;
    message_->setToolTip(script);
    show(State::Offer);
    run_->setFocus();
}

void RunBar::showRunning(const QString& script) {
    script_ = script;
    busyText_.clear();
    show(State::Running);
}

void RunBar::showBusy(const QString& script, const QString& text) {
    script_ = script;
    busyText_ = text;
    message_->setToolTip(script);
    if (state_ == State::Running && isVisible()) {
        message_->setText(text);
    } else {
        show(State::Running);
    }
}

void RunBar::showEnded(const QString& how, bool ok) {
    ok_ = ok;
    message_->setText(how.toHtmlEscaped());
    message_->setToolTip(how);
    show(State::Ended);
}

void RunBar::showMessage(const QString& text, bool ok) {
    ok_ = ok;
    script_.clear();
    message_->setText(text.toHtmlEscaped());
    message_->setToolTip(text);
    show(State::Message);
}

void RunBar::dismiss() {
    script_.clear();
    hide();
    emit changed();
}

void RunBar::show(State state) {
    state_ = state;
    retranslate();
    choices_->setVisible(state == State::Offer || state == State::Ended);
    run_->setVisible(state == State::Offer || state == State::Ended);
    debug_->setVisible(run_->isVisibleTo(this));
    stop_->setVisible(state == State::Running);
    busy_->setVisible(state == State::Running);
    close_->setVisible(state != State::Running);
    tint();
    QWidget::show();
    emit changed();
}

void RunBar::tint() {
    const Theme& t = theme();
    const bool past = state_ == State::Ended || state_ == State::Message;
    const QColor hue = past && !ok_ ? t.error : past ? t.related : t.accent;
    const auto mix = [&](int a, int b) { return static_cast<int>(a + (b - a) * 0.16); };
    QPalette tinted = palette();
    tinted.setColor(QPalette::Window, QColor(mix(t.background.red(), hue.red()), mix(t.background.green(), hue.green()),
                                             mix(t.background.blue(), hue.blue())));
    if (tinted != palette()) {
        setPalette(tinted);
    }
}

void RunBar::changeEvent(QEvent* event) {
    QFrame::changeEvent(event);
    // The one comes to the application only; the other to a widget with colours of its own.
    if (event->type() == QEvent::ApplicationPaletteChange || event->type() == QEvent::PaletteChange) {
        tint();
    } else if (event->type() == QEvent::LanguageChange) {
        retranslate();
    }
}

}  // namespace fusescope::gui
