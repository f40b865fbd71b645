// What the user should know, worst first.
#pragma once

#include <vector>

#include "gui/models/table_model.hpp"

namespace fusescope::query {
struct FindingInfo;
}

namespace fusescope::gui {

struct FindingRow {
    qint64 id = 0;
    QString kind;
    QString severity;
    QString message;
    QString path;
    int line = 0;
};

/// The finding in the language of the window. Any thread.
QString findingSentence(const query::FindingInfo& finding);

QVector<FindingRow> findingRows(const std::vector<query::FindingInfo>& findings);

class FindingModel : public RowModel<FindingRow> {
    Q_OBJECT

 public:
    enum Columns { Severity, Kind, What, Where };

    explicit FindingModel(QObject* parent = nullptr);
    Selection selectionAt(int row) const override;
    int rowOf(const Selection& selection) const override;
};

}  // namespace fusescope::gui
