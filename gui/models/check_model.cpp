// Columns of the table of ops that differ.
#include "gui/models/check_model.hpp"

#include <QFileInfo>
#include <algorithm>
#include <cmath>

#include "gui/app/theme.hpp"
#include "gui/widgets/format.hpp"

namespace fusescope::gui {

namespace {

bool hasNumbers(const CheckRow& row) { return row.what == QStringLiteral("values"); }

QString number(const CheckRow& row, double value) {
    return !hasNumbers(row) ? QString() : std::isinf(value) ? QStringLiteral("∞") : QString::number(value, 'g', 4);
}

}  // namespace

CheckModel::CheckModel(QObject* parent) : RowModel<CheckRow>(parent) {
    Column op, where, type, different, absolute, relative, ulp, judgement, madeBy;
    op.title = tr("Op");
    op.text = [](const CheckRow& row) { return row.place.op; };
    op.cellTip = [](const CheckRow& row) {
        QStringList lines{row.scope.isEmpty() ? row.place.op : row.place.op + QStringLiteral("  ") + row.scope};
        if (!row.kernel.isEmpty()) {
            lines << tr("computed by %1 in graph %2").arg(row.kernel, row.graph);
        }
        return lines.join(QLatin1Char('\n'));
    };
    where.title = tr("Line");
    where.text = [](const CheckRow& row) {
        const QString line =
            row.place.file.isEmpty()
                ? QString()
                : QStringLiteral("%1:%2").arg(QFileInfo(row.place.file).fileName()).arg(row.place.line);
        return row.occurrences > 1 ? tr("%1, run %2").arg(line, integerText(row.occurrence)) : line;
    };
    where.cellTip = [](const CheckRow& row) {
        const QString runs =
            row.occurrences > 1
                ? QLatin1Char('\n') +
                      tr("run %1 of %2 of this line").arg(integerText(row.occurrence), integerText(row.occurrences))
                : QString();
        return row.place.source + runs;
    };
    type.title = tr("Type");
    type.text = [](const CheckRow& row) { return row.dtype + row.shape; };
    different.title = tr("Elements");
    different.toolTip = tr("How many elements differ, of how many");
    different.number = true;
    different.text = [](const CheckRow& row) {
        return !hasNumbers(row) ? QString()
                                : QStringLiteral("%1 / %2").arg(integerText(row.different), integerText(row.elements));
    };
    different.sort = [](const CheckRow& row) { return QVariant(row.different); };
    absolute.title = tr("Absolute");
    absolute.toolTip = tr("The largest absolute difference");
    absolute.number = true;
    absolute.text = [](const CheckRow& row) { return number(row, row.absolute); };
    relative.title = tr("Relative");
    relative.toolTip = tr("The largest difference relative to the greater of the two values");
    relative.number = true;
    relative.text = [](const CheckRow& row) { return number(row, row.relative); };
    ulp.title = tr("ULP");
    ulp.toolTip = tr("How many numbers of the dtype lie between the two values, at most");
    ulp.number = true;
    ulp.text = [](const CheckRow& row) {
        return !row.ulp             ? QString()
               : *row.ulp < 1000000 ? integerText(static_cast<qint64>(*row.ulp))
                                    : QString::number(*row.ulp, 'g', 3);
    };
    judgement.title = tr("Tolerance");
    // A sign beside the colour, so that it does not stand alone.
    judgement.text = [](const CheckRow& row) {
        return row.what == QStringLiteral("not kept") ? tr("? not kept")
               : row.what == QStringLiteral("dtype")  ? tr("✖ other dtype")
               : row.what == QStringLiteral("shape")  ? tr("✖ other shape")
               : row.within                           ? tr("✔ within")
                                                      : tr("✖ beyond");
    };
    judgement.color = [](const CheckRow& row) {
        return row.within ? QVariant()
                          : QVariant(row.what == QStringLiteral("not kept") ? theme().warning : theme().error);
    };
    madeBy.title = tr("Made by");
    madeBy.toolTip = tr("The pass, and the rewrite of it, without which the difference is gone");
    madeBy.text = [this](const CheckRow& row) {
        const CheckCause* const cause = answer_.causeOf(row);
        if (!cause) {
            return answer_.finished() ? QStringLiteral("—") : QStringLiteral("…");
        }
        return cause->pass.isEmpty() ? tr("no pass")
               : cause->rewrite > 0  ? tr("%1, rewrite %2").arg(cause->pass).arg(cause->rewrite)
                                     : cause->pass;
    };
    madeBy.cellTip = [this](const CheckRow& row) {
        const CheckCause* const cause = answer_.causeOf(row);
        return cause                ? causeText(*cause)
               : answer_.finished() ? tr("What makes this difference was not looked for, or not found.")
                                    : tr("What makes this difference is being looked for.");
    };
    setColumns({op, where, judgement, madeBy, absolute, relative, ulp, different, type});
}

void CheckModel::setAnswer(const CheckAnswer& answer) {
    answer_ = answer;
    setRows(answer.compares() ? answer.rows : QVector<CheckRow>());
}

int CheckModel::rowLike(const CheckRow& row) const {
    const auto at = std::find_if(rows_.cbegin(), rows_.cend(), [&](const CheckRow& each) { return each.sameOp(row); });
    return at == rows_.cend() ? -1 : static_cast<int>(at - rows_.cbegin());
}

Selection CheckModel::selectionAt(int row) const {
    if (row < 0 || row >= rows_.size()) {
        return {};
    }
    const CheckRow& r = rows_[row];
    if (shown_ == Shown::Eager && r.eagerEvent > 0) {
        return Selection::opEvent(r.eagerEvent);
    }
    if (shown_ == Shown::Graph && r.node > 0) {
        return Selection::node(r.node);
    }
    return shown_ == Shown::Graph && r.graphEvent > 0 ? Selection::opEvent(r.graphEvent) : Selection();
}

int CheckModel::rowOf(const Selection& selection) const {
    for (int row = 0; !selection.isNone() && row < rows_.size(); ++row) {
        if (selectionAt(row) == selection) {
            return row;
        }
    }
    return -1;
}

}  // namespace fusescope::gui
