// The recorder numbers events from 1 in order of issue, so a row's place is its id; rows of events that were dropped
// stay blank.
#include "gui/models/event_model.hpp"

#include <QFileInfo>
#include <algorithm>
#include <limits>

#include "gui/app/session.hpp"
#include "gui/widgets/format.hpp"

namespace fusescope::gui {

namespace {

constexpr int kPageRows = 256;
constexpr int kPagesKept = 200;

}  // namespace

EventModel::EventModel(Session& session, QObject* parent) : TableModel(parent), session_(session), pages_(kPagesKept) {}

void EventModel::reload() {
    const int count =
        static_cast<int>(std::min<qint64>(session_.summary().opEvents, std::numeric_limits<int>::max() / 2));
    if (count > count_) {
        // The last page may have been fetched while it was shorter.
        pages_.remove(count_ / kPageRows);
        asked_.remove(count_ / kPageRows);
        beginInsertRows({}, count_, count - 1);
        count_ = count;
        endInsertRows();
    } else if (count < count_) {
        beginResetModel();
        pages_.clear();
        asked_.clear();
        count_ = count;
        endResetModel();
    }
}

void EventModel::clear() {
    beginResetModel();
    pages_.clear();
    asked_.clear();
    related_.clear();
    count_ = 0;
    endResetModel();
}

void EventModel::setRelated(const QSet<qint64>& events) {
    related_ = events;
    if (count_ > 0) {
        emit dataChanged(index(0, 0), index(count_ - 1, ColumnCount - 1), {RelatedRole});
    }
}

Selection EventModel::selectionAt(int row) const { return Selection::opEvent(row + 1); }

int EventModel::rowOf(const Selection& selection) const {
    return selection.kind == Selection::Kind::OpEvent && selection.id >= 1 && selection.id <= count_
               ? static_cast<int>(selection.id - 1)
               : -1;
}

int EventModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : count_; }

int EventModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

const query::OpEventInfo* EventModel::eventAt(int row) const {
    const int page = row / kPageRows;
    const Page* events = pages_.object(page);
    if (!events) {
        fetch(page);
        return nullptr;
    }
    const auto it = std::lower_bound(events->begin(), events->end(), row + 1,
                                     [](const query::OpEventInfo& event, int id) { return event.id < id; });
    return it != events->end() && it->id == row + 1 ? &*it : nullptr;
}

void EventModel::fetch(int page) const {
    if (asked_.contains(page)) {
        return;
    }
    asked_.insert(page);
    auto* self = const_cast<EventModel*>(this);
    const std::int64_t first = static_cast<std::int64_t>(page) * kPageRows;
    const std::int64_t rows = std::min<std::int64_t>(kPageRows, count_ - first);
    session_.jobs().run(
        self, QStringLiteral("page %1").arg(page),
        [first](JobContext& context) { return query::op_events(context.database(), {}, first, kPageRows); },
        [self, page, first, rows](Page events) {
            const auto past = [&](const query::OpEventInfo& event) { return event.id > first + rows; };
            events.erase(std::remove_if(events.begin(), events.end(), past), events.end());
            self->pages_.insert(page, new Page(std::move(events)));
            self->asked_.remove(page);
            const int last = std::min(static_cast<int>(first) + kPageRows, self->count_) - 1;
            if (last >= first) {
                emit self->dataChanged(self->index(static_cast<int>(first), 0), self->index(last, ColumnCount - 1));
            }
        },
        [self, page](const QString& error) {
            self->asked_.remove(page);
            emit self->session_.note(error);
        });
}

QVariant EventModel::text(const query::OpEventInfo& event, int column) const {
    switch (column) {
        case Number:
            return integerText(event.id);
        case Op:
            return QString::fromStdString(event.name);
        case Start:
            return durationText(static_cast<double>(event.start_ns - session_.summary().zeroNs));
        case Duration:
            return durationText(static_cast<double>(event.duration_ns));
        case Where:
            return event.path.empty() ? QString()
                                      : QStringLiteral("%1:%2")
                                            .arg(QFileInfo(QString::fromStdString(event.path)).fileName())
                                            .arg(event.line);
        case Scope:
            return QString::fromStdString(event.scope);
        case Mode:
            return event.mode == "graph" ? tr("graph") : tr("eager");
        case Device:
            return event.clock == Clock::modelled ? tr("%1, modelled").arg(QString::fromStdString(event.device))
                                                  : QString::fromStdString(event.device);
        case Step:
            return integerText(event.step);
        default:
            return {};
    }
}

QVariant EventModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    switch (role) {
        case Qt::DisplayRole: {
            const auto* event = eventAt(index.row());
            return event                      ? text(*event, index.column())
                   : index.column() == Number ? integerText(index.row() + 1)
                                              : QVariant();
        }
        case Qt::TextAlignmentRole: {
            const bool number = index.column() == Number || index.column() == Start || index.column() == Duration ||
                                index.column() == Step;
            return QVariant::fromValue(Qt::AlignVCenter | (number ? Qt::AlignRight : Qt::AlignLeft));
        }
        case RelatedRole:
            return related_.contains(index.row() + 1);
        case ModelledRole: {
            const auto* event = index.column() == Duration ? eventAt(index.row()) : nullptr;
            return event && event->clock == Clock::modelled;
        }
        case SelectionRole:
            return QVariant::fromValue(selectionAt(index.row()));
        default:
            return {};
    }
}

QVariant EventModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) {
        return QAbstractTableModel::headerData(section, orientation, role);
    }
    const QString titles[] = {tr("#"),     tr("Op"),   tr("Start"),  tr("Duration"), tr("Line"),
                              tr("Scope"), tr("Mode"), tr("Device"), tr("Step")};
    return section >= 0 && section < ColumnCount ? titles[section] : QVariant();
}

}  // namespace fusescope::gui
