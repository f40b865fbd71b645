#include "gui/widgets/breadcrumb.hpp"

#include <QApplication>
#include <QClipboard>
#include <QLabel>

#include "gui/app/bookmarks.hpp"
#include "gui/app/icons.hpp"
#include "gui/app/session.hpp"

namespace fusescope::gui {

namespace {

constexpr int kMostLetters = 48;

QToolButton* flatButton() {
    auto* button = new QToolButton;
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    button->setIconSize({16, 16});
    return button;
}

}  // namespace

Breadcrumb::Breadcrumb(Session& session, QWidget* parent)
    : QWidget(parent),
      session_(session),
      back_(flatButton()),
      forward_(flatButton()),
      bookmark_(flatButton()),
      link_(flatButton()),
      crumbs_(new QWidget) {
    setObjectName(QStringLiteral("breadcrumb"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(4, 0, 0, 0);
    row->setSpacing(0);
    for (QWidget* widget : std::initializer_list<QWidget*>{back_, forward_, bookmark_, link_}) {
        row->addWidget(widget);
    }
    row->addSpacing(4);
    // Long ways give up room at their end.
    crumbs_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    crumbs_->setMinimumWidth(60);
    row->addWidget(crumbs_, 1);
    auto* way = new QHBoxLayout(crumbs_);
    way->setContentsMargins(0, 0, 0, 0);
    way->setSpacing(0);
    connect(back_, &QToolButton::clicked, &session, &Session::back);
    connect(forward_, &QToolButton::clicked, &session, &Session::forward);
    connect(bookmark_, &QToolButton::clicked, this, &Breadcrumb::toggleBookmark);
    connect(link_, &QToolButton::clicked, this, &Breadcrumb::copyLink);
    connect(&session, &Session::selectionChanged, this, &Breadcrumb::ask);
    connect(&session, &Session::profileClosed, this, &Breadcrumb::ask);
    connect(&session.bookmarks(), &Bookmarks::changed, this, &Breadcrumb::showButtons);
    refresh();
}

void Breadcrumb::refresh() {
    back_->setIcon(icon(QStringLiteral("back")));
    forward_->setIcon(icon(QStringLiteral("forward")));
    link_->setIcon(icon(QStringLiteral("link")));
    const auto name = [](QToolButton* button, const QString& text, const QString& keys) {
        button->setAccessibleName(text);
        button->setToolTip(QStringLiteral("%1 (%2)").arg(text, keys));
    };
    name(back_, tr("Back"), QStringLiteral("Alt+←"));
    name(forward_, tr("Forward"), QStringLiteral("Alt+→"));
    name(bookmark_, tr("Bookmark this place"), QStringLiteral("Ctrl+D"));
    name(link_, tr("Copy a link to this place"), QStringLiteral("Ctrl+Shift+L"));
    ask();
}

void Breadcrumb::ask() {
    const Selection selection = session_.selection();
    if (selection.isNone() || !session_.hasProfile()) {
        session_.jobs().cancel(this, QStringLiteral("place"));
        show({});
        return;
    }
    showButtons();
    session_.jobs().run(
        this, QStringLiteral("place"),
        [selection](JobContext& context) { return placeNamed(context.database(), selection); },
        [this](const Place& place) { show(place); }, [](const QString&) {});
}

void Breadcrumb::show(const Place& place) {
    place_ = place;
    QLayout* const way = crumbs_->layout();
    while (QLayoutItem* item = way->takeAt(0)) {
        if (item->widget()) {
            item->widget()->hide();
            item->widget()->deleteLater();
        }
        delete item;
    }
    for (qsizetype i = 0; i < place.crumbs.size(); ++i) {
        const Crumb& crumb = place.crumbs[i];
        if (i > 0) {
            auto* arrow = new QLabel(QStringLiteral("›"));
            arrow->setForegroundRole(QPalette::PlaceholderText);
            way->addWidget(arrow);
        }
        auto* button = flatButton();
        button->setText(crumb.text.size() > kMostLetters ? crumb.text.left(kMostLetters) + QChar(u'…') : crumb.text);
        button->setToolTip(crumb.text);
        button->setAccessibleName(crumb.text);
        connect(button, &QToolButton::clicked, this, [this, target = crumb.target] { session_.select(target); });
        way->addWidget(button);
    }
    static_cast<QHBoxLayout*>(way)->addStretch(1);
    showButtons();
}

void Breadcrumb::showButtons() {
    const bool open = session_.hasProfile();
    for (QWidget* widget : std::initializer_list<QWidget*>{back_, forward_, bookmark_, link_}) {
        widget->setVisible(open);
    }
    back_->setEnabled(session_.canGoBack());
    forward_->setEnabled(session_.canGoForward());
    const bool there = !place_.address.isEmpty() && place_.of == session_.selection();
    bookmark_->setEnabled(there);
    link_->setEnabled(there);
    const bool marked = there && session_.bookmarks().indexOf(place_.address) >= 0;
    bookmark_->setIcon(icon(marked ? QStringLiteral("bookmark_set") : QStringLiteral("bookmark")));
}

QStringList Breadcrumb::texts() const {
    QStringList all;
    for (const Crumb& crumb : place_.crumbs) {
        all << crumb.text;
    }
    return all;
}

void Breadcrumb::toggleBookmark() {
    if (bookmark_->isEnabled()) {
        session_.bookmarks().toggle(place_.address, texts().join(QStringLiteral(" › ")));
    }
}

void Breadcrumb::copyLink() {
    if (link_->isEnabled()) {
        QApplication::clipboard()->setText(linkText(session_.path(), place_.address));
        emit session_.note(tr("The link is in the clipboard."));
    }
}

}  // namespace fusescope::gui
