// Columns of the table of findings.
#include "gui/models/finding_model.hpp"

#include <QFileInfo>
#include <algorithm>

#include "gui/app/language.hpp"
#include "gui/app/theme.hpp"
#include "profiler/query/finding_text.hpp"
#include "profiler/query/findings.hpp"

namespace fusescope::gui {

namespace {

int rankOf(const QString& severity) { return severity == "error" ? 0 : severity == "warning" ? 1 : 2; }

}  // namespace

// Profiles hold the English sentence; it is the only one that may tell more than the arguments do.
QString findingSentence(const query::FindingInfo& finding) {
    if (!isChinese()) {
        return QString::fromStdString(finding.message);
    }
    return QString::fromStdString(
        query::finding_text(finding.kind, query::parse_finding_detail(finding.detail), findingLanguage()));
}

QVector<FindingRow> findingRows(const std::vector<query::FindingInfo>& findings) {
    QVector<FindingRow> rows;
    for (const auto& finding : findings) {
        rows.push_back({finding.id, QString::fromStdString(finding.kind), QString::fromStdString(finding.severity),
                        findingSentence(finding), QString::fromStdString(finding.path),
                        static_cast<int>(finding.line)});
    }
    std::stable_sort(rows.begin(), rows.end(),
                     [](const FindingRow& a, const FindingRow& b) { return rankOf(a.severity) < rankOf(b.severity); });
    return rows;
}

FindingModel::FindingModel(QObject* parent) : RowModel<FindingRow>(parent) {
    const auto color = [](const FindingRow& row) {
        const int rank = rankOf(row.severity);
        return QVariant(rank == 0 ? theme().error : rank == 1 ? theme().warning : theme().info);
    };
    // A sign beside the colour, so that it does not stand alone.
    const auto severity = [](const FindingRow& row) {
        const int rank = rankOf(row.severity);
        return rank == 0 ? tr("✖ error") : rank == 1 ? tr("▲ warning") : tr("● info");
    };
    setColumns({{tr("Severity"),
                 {},
                 severity,
                 [](const FindingRow& row) { return QVariant(rankOf(row.severity)); },
                 {},
                 {},
                 {},
                 color,
                 false},
                {tr("Kind"), {}, [](const FindingRow& row) { return row.kind; }, {}, {}, {}, {}, {}, false},
                {tr("What"),
                 {},
                 [](const FindingRow& row) { return row.message.section('\n', 0, 0); },
                 {},
                 {},
                 {},
                 [](const FindingRow& row) { return row.message; },
                 {},
                 false},
                {tr("Line"),
                 {},
                 [](const FindingRow& row) {
                     return row.path.isEmpty()
                                ? QString()
                                : QStringLiteral("%1:%2").arg(QFileInfo(row.path).fileName()).arg(row.line);
                 },
                 {},
                 {},
                 {},
                 [](const FindingRow& row) { return row.path; },
                 {},
                 false}});
}

Selection FindingModel::selectionAt(int row) const {
    return row >= 0 && row < rows_.size() ? Selection::finding(rows_[row].id) : Selection();
}

int FindingModel::rowOf(const Selection& selection) const {
    for (int i = 0; selection.kind == Selection::Kind::Finding && i < rows_.size(); ++i) {
        if (rows_[i].id == selection.id) {
            return i;
        }
    }
    return -1;
}

}  // namespace fusescope::gui
