// A page of links; no dialog stands in the way of the first minute.
#include "gui/widgets/start_page.hpp"

#include <QCommandLinkButton>
#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QRegularExpression>
#include <QVBoxLayout>

#include "gui/app/icons.hpp"
#include "gui/app/settings.hpp"

namespace fusescope::gui {

namespace {

// The first sentence that the example says about itself: its docstring or first comment.
QString sentenceOf(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        return {};
    }
    const QString head = QString::fromUtf8(file.read(2000));
    static const QRegularExpression docstring(
        QStringLiteral(R"(^(?:#[^\n]*\n|\s)*(?:"""|''')\s*(.+?)(?:"""|'''|\n\s*\n))"),
        QRegularExpression::DotMatchesEverythingOption);
    static const QRegularExpression comment(QStringLiteral(R"(^(?:#!.*\n)?#\s*(.+))"));
    QString text = docstring.match(head).captured(1);
    if (text.isEmpty()) {
        text = comment.match(head).captured(1);
    }
    text = text.simplified();
    const auto stop = text.indexOf(QStringLiteral(". "));
    return stop > 0 ? text.left(stop + 1) : text;
}

// One line that ends in an ellipsis where it does not fit.
class ElidedLabel : public QWidget {
 public:
    explicit ElidedLabel(const QString& text) : text_(text) {
        setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    }

    QSize sizeHint() const override { return {0, fontMetrics().height()}; }

 protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setPen(palette().color(foregroundRole()));
        painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter,
                         fontMetrics().elidedText(text_, Qt::ElideRight, width()));
    }

 private:
    QString text_;
};

}  // namespace

StartPage::StartPage(QWidget* parent) : QScrollArea(parent) {
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    refresh();
}

QString StartPage::examplesDirectory() {
    const QDir binary(QCoreApplication::applicationDirPath());
    for (const QString& candidate : {binary.absoluteFilePath(QStringLiteral("../" FUSESCOPE_INSTALLED_EXAMPLES)),
                                     QStringLiteral(FUSESCOPE_SOURCE_EXAMPLES)}) {
        if (!QDir(candidate).entryList({QStringLiteral("*.py")}, QDir::Files).isEmpty()) {
            return QDir::cleanPath(candidate);
        }
    }
    return {};
}

void StartPage::refresh() {
    auto* page = new QWidget;
    auto* outer = new QHBoxLayout(page);
    outer->setContentsMargins(40, 36, 40, 36);
    auto* left = new QVBoxLayout;
    auto* right = new QVBoxLayout;
    outer->addStretch(1);
    outer->addLayout(left, 5);
    outer->addSpacing(40);
    outer->addLayout(right, 10);
    outer->addStretch(1);

    auto* title = new QLabel(QStringLiteral("fusescope"));
    QFont big = title->font();
    big.setPointSizeF(big.pointSizeF() * 2.2);
    big.setWeight(QFont::Light);
    title->setFont(big);
    left->addWidget(title);
    auto* what =
        new QLabel(tr("See what fusion did to a tensor program, which operation broke it, and where its time "
                      "went."));
    what->setWordWrap(true);
    left->addWidget(what);
    left->addSpacing(16);
    auto* open = new QPushButton(icon(QStringLiteral("open")), tr("Open a profile or a script…"));
    open->setMinimumHeight(38);
    open->setObjectName("openButton");
    connect(open, &QPushButton::clicked, this, &StartPage::openRequested);
    left->addWidget(open);
    auto* hint = new QLabel(tr("or drop a file anywhere on this window"));
    hint->setForegroundRole(QPalette::PlaceholderText);
    left->addWidget(hint);
    left->addSpacing(16);
    addHeading(left, tr("Recent"));
    const QStringList recent = settings::recentFiles();
    for (const QString& path : recent) {
        addLink(left, QFileInfo(path).fileName(), QDir::toNativeSeparators(QFileInfo(path).absolutePath()), path);
    }
    if (recent.isEmpty()) {
        auto* none = new QLabel(tr("Files that you open are listed here."));
        none->setForegroundRole(QPalette::PlaceholderText);
        left->addWidget(none);
    }
    left->addStretch(1);

    addHeading(right, tr("Examples to run"));
    const QDir examples(examplesDirectory());
    const QStringList names = examplesDirectory().isEmpty()
                                  ? QStringList()
                                  : examples.entryList({QStringLiteral("*.py")}, QDir::Files, QDir::Name);
    for (const QString& name : names) {
        const QString path = examples.absoluteFilePath(name);
        addLink(right, name, sentenceOf(path), path);
    }
    if (names.isEmpty()) {
        auto* none = new QLabel(tr("The example programs are not installed."));
        none->setForegroundRole(QPalette::PlaceholderText);
        right->addWidget(none);
    }
    right->addStretch(1);
    setWidget(page);
}

void StartPage::addHeading(QVBoxLayout* column, const QString& text) {
    auto* heading = new QLabel(text);
    QFont font = heading->font();
    font.setWeight(QFont::DemiBold);
    heading->setFont(font);
    column->addWidget(heading);
}

void StartPage::addLink(QVBoxLayout* column, const QString& title, const QString& note, const QString& path) {
    auto* link = new QPushButton;
    link->setFlat(true);
    link->setToolTip(note + QStringLiteral("\n") + path);
    link->setAccessibleName(title + QStringLiteral(": ") + note);
    link->setCursor(Qt::PointingHandCursor);
    auto* row = new QHBoxLayout(link);
    row->setContentsMargins(8, 3, 8, 3);
    auto* name = new QLabel(title);
    name->setForegroundRole(QPalette::Link);
    name->setMinimumWidth(name->fontMetrics().averageCharWidth() * 24);
    auto* text = new ElidedLabel(note);
    text->setForegroundRole(QPalette::PlaceholderText);
    for (QWidget* label : std::initializer_list<QWidget*>{name, text}) {
        label->setAttribute(Qt::WA_TransparentForMouseEvents);
    }
    row->addWidget(name);
    row->addWidget(text, 1);
    link->setMinimumHeight(name->sizeHint().height() + 10);
    connect(link, &QPushButton::clicked, this, [this, path] { emit fileChosen(path); });
    column->addWidget(link);
}

}  // namespace fusescope::gui
