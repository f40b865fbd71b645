// Inserts rows of any table through its description.
#pragma once

#include <optional>
#include <tuple>

#include "profiler/db/database.hpp"
#include "profiler/schema/rows.hpp"
#include "profiler/schema/schema.hpp"

namespace fusescope {

class Inserter {
 public:
    explicit Inserter(Database& database) : database_(database) {}

    template <class Row>
    void operator()(const Row& row) {
        auto& statement = std::get<std::optional<Statement>>(slot<Row>());
        if (!statement) statement.emplace(database_.prepare(insert_sql(bound_table<Row>().description)));
        bound_table<Row>().bind(*statement, row);
        statement->run();
        ++rows_;
    }

    /// Puts a row in the place of the one that has its id.
    template <class Row>
    void replace(const Row& row) {
        Statement remove = database_.prepare("DELETE FROM " + bound_table<Row>().description.name + " WHERE id = ?1");
        remove.bind_all(row.id);
        remove.run();
        (*this)(row);
        --rows_;
    }

    /// Rows handed over, with those that the database ignored because their key was there already.
    std::int64_t rows() const noexcept { return rows_; }

    /// Gives all statements back, which must be done before the journal mode is changed.
    void release() {
        std::apply([](auto&... each) { ((std::get<0>(each).reset()), ...); }, slots_);
    }

 private:
    template <class Row>
    struct Tag {};
    template <class Row>
    using Slot = std::tuple<std::optional<Statement>, Tag<Row>>;
    template <class Row>
    Slot<Row>& slot() {
        return std::get<Slot<Row>>(slots_);
    }

    Database& database_;
    std::int64_t rows_ = 0;
    std::tuple<Slot<MetaRow>, Slot<RunRow>, Slot<SourceRow>, Slot<FrameRow>, Slot<ScopeRow>, Slot<KindRow>,
               Slot<OpEventRow>, Slot<TransferRow>, Slot<MemoryRow>, Slot<GraphRow>, Slot<StageRow>, Slot<NodeRow>,
               Slot<EdgeRow>, Slot<OriginRow>, Slot<DropRow>, Slot<KernelCodeRow>, Slot<KernelRow>, Slot<GraphBreakRow>,
               Slot<TensorRow>, Slot<FindingRow>, Slot<OutputRow>>
        slots_;
};

}  // namespace fusescope
