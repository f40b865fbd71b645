// What a writer hands over for one row of each table. Where the engine has a struct for it, the row is that struct.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "fusescope/event.hpp"
#include "fusescope/finding.hpp"
#include "fusescope/snapshot.hpp"
#include "profiler/schema/table.hpp"

namespace fusescope {

struct MetaRow {
    std::string key, value;
};

struct RunRow {
    std::int64_t id = 1;
    std::string script, arguments, mode, device, status;
    std::int64_t started_unix_ns = 0;
    std::int64_t started_ns = 0;
    std::optional<std::int64_t> ended_ns;
    std::int64_t rank = 0;
    std::optional<std::int64_t> exit_code;
    std::string options;  ///< JSON object
};

struct SourceRow {
    std::int64_t id = 0;
    std::string path;
    std::optional<std::string> text;
    std::string note;
};

struct FrameRow {
    std::int64_t id = 0;
    std::int64_t parent = 0;
    std::int64_t source = 0;
    std::int64_t line = 0;
    std::string function;
};

struct ScopeRow {
    std::int64_t id = 0;
    std::string path;
};

struct KindRow {
    std::int64_t id = 0;
    std::string name;
};

struct OpEventRow : OpEvent {
    std::int64_t run = 1;
};

struct TransferRow : TransferEvent {
    std::int64_t id = 0;
    std::int64_t run = 1;
};

struct MemoryRow : MemoryEvent {
    std::int64_t id = 0;
};

struct GraphRow {
    std::int64_t id = 0;
    std::string name, signature;
    std::int64_t frame = 0;
    std::int64_t compile_start_ns = 0;
    std::int64_t compile_ns = 0;
};

struct StageRow {
    std::int64_t id = 0;
    std::int64_t graph = 0;
    std::int64_t ordinal = 0;
    std::string pass;
    std::int64_t duration_ns = 0;
    bool changed = true;
    std::string text;
    std::int64_t rewrites = 0;
    std::string note;
    std::int64_t nodes = 0;
    std::int64_t edges = 0;
    std::optional<std::int64_t> peak_bytes;
};

struct NodeRow {
    std::int64_t id = 0;
    std::int64_t stage = 0;
    std::string name, op, attributes, dtype, shape, scope;
    std::int64_t frame = 0;
    std::uint64_t flops = 0;
    std::uint64_t bytes = 0;
    std::int64_t parent = 0;
    std::int64_t last_ordinal = 0;
    std::int64_t position = 0;
    std::string phase;
};

struct EdgeRow {
    std::int64_t stage = 0;
    std::int64_t source = 0;
    std::int64_t source_output = 0;
    std::int64_t target = 0;
    std::int64_t target_input = 0;
};

struct OriginRow {
    std::int64_t node = 0;
    std::int64_t from = 0;
};

struct KernelCodeRow {
    std::int64_t id = 0;
    std::string form;
    std::string text;
};

struct KernelRow {
    std::int64_t node = 0;
    std::int64_t code = 0;
};

struct DropRow {
    std::int64_t stage = 0;
    std::int64_t node = 0;
    std::string reason;
};

struct GraphBreakRow {
    std::int64_t id = 0;
    std::int64_t graph = 0;
    std::int64_t frame = 0;
    std::string reason;
};

struct TensorRow : TensorHealth {
    std::int64_t id = 0;
    std::string shape;
    Blob value;
};

struct FindingRow {
    std::int64_t id = 0;
    FindingKind kind = FindingKind::suspicious;
    Severity severity = Severity::warning;
    EventId op_event = 0;
    FrameId frame = 0;
    std::string message;
    std::string detail;  ///< JSON object
};

struct OutputRow {
    std::int64_t id = 0;
    std::string stream;
    std::int64_t time_ns = 0;
    std::string text;
};

/// The description that belongs to a row type.
template <class Row>
const BoundTable<Row>& bound_table();

template <>
const BoundTable<MetaRow>& bound_table();
template <>
const BoundTable<RunRow>& bound_table();
template <>
const BoundTable<SourceRow>& bound_table();
template <>
const BoundTable<FrameRow>& bound_table();
template <>
const BoundTable<ScopeRow>& bound_table();
template <>
const BoundTable<KindRow>& bound_table();
template <>
const BoundTable<OpEventRow>& bound_table();
template <>
const BoundTable<TransferRow>& bound_table();
template <>
const BoundTable<MemoryRow>& bound_table();
template <>
const BoundTable<GraphRow>& bound_table();
template <>
const BoundTable<StageRow>& bound_table();
template <>
const BoundTable<NodeRow>& bound_table();
template <>
const BoundTable<EdgeRow>& bound_table();
template <>
const BoundTable<OriginRow>& bound_table();
template <>
const BoundTable<DropRow>& bound_table();
template <>
const BoundTable<KernelCodeRow>& bound_table();
template <>
const BoundTable<KernelRow>& bound_table();
template <>
const BoundTable<GraphBreakRow>& bound_table();
template <>
const BoundTable<TensorRow>& bound_table();
template <>
const BoundTable<FindingRow>& bound_table();
template <>
const BoundTable<OutputRow>& bound_table();

}  // namespace fusescope
