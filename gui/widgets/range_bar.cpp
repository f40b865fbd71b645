#include "gui/widgets/range_bar.hpp"

#include <QHBoxLayout>
#include <QLabel>

#include "gui/app/session.hpp"
#include "gui/widgets/format.hpp"
#include "gui/widgets/icon_button.hpp"

namespace fusescope::gui {

RangeBar::RangeBar(Session& session, QWidget* parent) : QFrame(parent), session_(session), text_(new QLabel) {
    setObjectName(QStringLiteral("rangeBar"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(6, 0, 0, 0);
    row->setSpacing(2);
    text_->setForegroundRole(QPalette::Link);
    row->addWidget(text_);
    auto* whole = new IconButton(QStringLiteral("remove"), tr("Show the whole run"));
    whole->setObjectName(QStringLiteral("wholeRun"));
    row->addWidget(whole);
    connect(whole, &QToolButton::clicked, this, [this] { session_.setTimeRange(std::nullopt); });
    connect(&session, &Session::timeRangeChanged, this, &RangeBar::refresh);
    connect(&session, &Session::profileClosed, this, &RangeBar::refresh);
    refresh();
}

void RangeBar::refresh() {
    const auto& range = session_.timeRange();
    setVisible(range.has_value());
    if (range) {
        const auto sinceStart = [this](qint64 time) {
            return durationText(static_cast<double>(time - session_.summary().zeroNs));
        };
        text_->setText(
            tr("only %1 from %2 on")
                .arg(durationText(static_cast<double>(range->end - range->begin)), sinceStart(range->begin)));
    }
}

}  // namespace fusescope::gui
