// The table `tensor`.
#include "profiler/schema/rows.hpp"

namespace fusescope {

namespace {

/// A statistic, NULL when it was not computed or when no element is finite (SQLite has no NaN).
template <auto Member>
constexpr auto stat =
    [](const TensorRow& row) { return row.has_stats ? std::optional<double>(row.*Member) : std::optional<double>(); };

}  // namespace

template <>
const BoundTable<TensorRow>& bound_table() {
    static const BoundTable<TensorRow> table(
        "tensor", "Statistics, and maybe the value, of one output of one op.", Since::contract,
        {
            column<TensorRow, &TensorRow::id>("id", "PRIMARY KEY", "Number of the row."),
            column<TensorRow, row_id<&TensorRow::op_event>>("op_event_id", "", "`op_event` that made it."),
            column<TensorRow, &TensorRow::output>("output", "", "Which output, from 0."),
            column<TensorRow, &TensorRow::dtype>("dtype", "", "Element type: `Float32`."),
            column<TensorRow, &TensorRow::shape>("shape", "", "`(2, 3)`."),
            column<TensorRow, &TensorRow::count>("count", "", "Number of elements."),
            column<TensorRow, &TensorRow::nan>("nan", "", "How many are NaN."),
            column<TensorRow, &TensorRow::inf>("inf", "", "How many are infinite."),
            column<TensorRow,
                   [](const TensorRow& row) { return row.zero < 0 ? std::optional<std::int64_t>() : row.zero; }>(
                "zero", "", "How many are zero; NULL when not counted."),
            column<TensorRow, stat<&TensorRow::min>>("min", "",
                                                     "Least finite element; NULL when not computed or none is finite."),
            column<TensorRow, stat<&TensorRow::max>>("max", "", "Greatest finite element."),
            column<TensorRow, stat<&TensorRow::mean>>("mean", "", "Mean of the finite elements."),
            column<TensorRow, stat<&TensorRow::std>>("std", "", "Standard deviation of the finite elements."),
            column<TensorRow,
                   [](const TensorRow& row) {
                       return row.first_bad_index < 0 ? std::optional<std::int64_t>() : row.first_bad_index;
                   }>("first_bad_index", "", "Flat index of the first NaN or Inf; NULL when there is none."),
            column<TensorRow, &TensorRow::value>("value", "",
                                                 "Elements in row-major order, native byte order; NULL when not kept."),
        },
        {{"op_event_id", ""}, {"nan, inf", "nan > 0 OR inf > 0"}});
    return table;
}

const TableDescription* schema_tensor() { return &bound_table<TensorRow>().description; }

}  // namespace fusescope
