// The ops that differ between the eager run and that of graphs, in program order.
#pragma once

#include "gui/models/check_answer.hpp"
#include "gui/models/table_model.hpp"

namespace fusescope::gui {

class CheckModel : public RowModel<CheckRow> {
    Q_OBJECT

 public:
    /// What one looks for first stands first: a narrow panel cuts the others off.
    enum Columns { Op, Where, Judgement, MadeBy, Absolute, Relative, Ulp, Different, Type };
    /// Whose profile is open: what a row selects depends on it.
    enum class Shown { Neither, Eager, Graph };

    explicit CheckModel(QObject* parent = nullptr);

    void setAnswer(const CheckAnswer& answer);
    const CheckAnswer& answer() const { return answer_; }
    void setShown(Shown shown) { shown_ = shown; }
    Shown shown() const { return shown_; }
    /// Row of that op, -1 when there is none.
    int rowLike(const CheckRow& row) const;

    Selection selectionAt(int row) const override;
    int rowOf(const Selection& selection) const override;

 private:
    CheckAnswer answer_;
    Shown shown_ = Shown::Neither;
};

}  // namespace fusescope::gui
