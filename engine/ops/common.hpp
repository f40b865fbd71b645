// Small things that many op files need.
#pragma once

#include <string>

#include "engine/core/broadcast.hpp"
#include "engine/core/convert.hpp"
#include "engine/ir/op_def.hpp"
#include "fusescope/error.hpp"

namespace fusescope::ops {

/// For ops that only move bytes: no arithmetic, traffic is that of operands and results.
inline void no_flops(std::span<const TensorType>, std::span<const TensorType>, const Attrs&, Cost&) {}
/// For views: nothing moves at all.
inline void no_cost(std::span<const TensorType>, std::span<const TensorType>, const Attrs&, Cost& c) { c = {}; }
/// One operation for each element of the first operand.
inline void input_flops(std::span<const TensorType> in, std::span<const TensorType>, const Attrs&, Cost& c) {
    c.flops = static_cast<std::uint64_t>(in[0].shape.count());
}
/// One operation for each element of the first result.
inline void output_flops(std::span<const TensorType>, std::span<const TensorType> out, const Attrs&, Cost& c) {
    c.flops = static_cast<std::uint64_t>(out[0].shape.count());
}

inline void infer_same(InferContext& c) { c.result(c.inputs[0].dtype, c.inputs[0].shape); }

inline std::size_t at(std::int64_t axis) { return static_cast<std::size_t>(axis); }

/// Product of the extents of axes [from, to).
inline std::int64_t extent_of(const Shape& shape, std::size_t from, std::size_t to) {
    std::int64_t n = 1;
    for (std::size_t k = from; k < to; ++k) n *= shape[k];
    return n;
}

/// Throws UserError (index) with value, place and extent unless each index is in [-extent, extent).
void check_indices(std::string_view op, const KernelTensor& indices, std::int64_t extent, std::string_view what);

/// Reads index `i` of an Int32 or Int64 tensor; negative ones count from the end of `extent`.
inline std::int64_t index_at(const KernelTensor& indices, std::int64_t i, std::int64_t extent) {
    const std::int64_t v =
        indices.dtype() == DType::Int64 ? indices.as<const std::int64_t>()[i] : indices.as<const std::int32_t>()[i];
    return v < 0 ? v + extent : v;
}

/// Attributes 0 and 1 are the shape and the dtype of the result, which must be a float type.
void infer_random(InferContext& c);

/// Throws UserError (shape) unless the indices have the rank of `shape` and are longer than it along `axis` only.
void check_indices_along(const InferContext& c, const Shape& shape, const Shape& indices, int axis);

/// Throws UserError (dtype) unless two operands share one.
void same_dtype(const InferContext& c, std::size_t a, std::size_t b);

/// Arithmetic type of a dtype's elements (float for the half types), and reading and storing it.
template <class Tag>
struct ElementOf {
    using Stored = Tag;
    using Value = std::conditional_t<std::is_same_v<Tag, bool>, std::uint8_t, Tag>;
    static Value load(const void* p, std::int64_t i) { return static_cast<Value>(static_cast<const Tag*>(p)[i]); }
    static void store(void* p, std::int64_t i, Value v) { static_cast<Tag*>(p)[i] = static_cast<Tag>(v); }
};
template <>
struct ElementOf<HalfTag> {
    using Stored = std::uint16_t;
    using Value = float;
    static float load(const void* p, std::int64_t i) { return half_to_float(static_cast<const std::uint16_t*>(p)[i]); }
    static void store(void* p, std::int64_t i, float v) { static_cast<std::uint16_t*>(p)[i] = float_to_half(v); }
};
template <>
struct ElementOf<BFloatTag> {
    using Stored = std::uint16_t;
    using Value = float;
    static float load(const void* p, std::int64_t i) {
        return bfloat_to_float(static_cast<const std::uint16_t*>(p)[i]);
    }
    static void store(void* p, std::int64_t i, float v) { static_cast<std::uint16_t*>(p)[i] = float_to_bfloat(v); }
};

}  // namespace fusescope::ops
