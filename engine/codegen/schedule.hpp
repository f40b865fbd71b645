// How a fused region is walked: its iteration space, where each operand's elements are in it, and what is stored. No
// LLVM.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/cpu/reduce.hpp"
#include "engine/ir/graph.hpp"

namespace fusescope::codegen {

/// Iteration axis that each axis of a value follows; -1 for an axis of extent 1.
using AxisMap = SmallVector<std::int8_t, 6>;

/// One way in which a region input is read. The same input may be read in two ways (x + x.T never fuses, but x of shape
/// (4,) may be read along rows and, reshaped to (4, 1), along columns).
struct Load {
    std::uint32_t input;  ///< of the region
    DType dtype;
    Shape strides;  ///< elements per step of each merged axis
};

struct Store {
    ir::Value value;
    std::uint32_t output;  ///< of the region
    DType dtype;
};

struct Reduction {
    ir::Value value;  ///< what is reduced
    std::uint32_t output;
    DType dtype;  ///< of value and result
    cpu::Fold fold;
};

/// A step of the body: an element program over earlier results, or a load, or a constant.
struct BodyStep {
    enum class What : std::uint8_t { load, constant, op } what;
    std::uint32_t load = 0;  ///< index in Schedule::loads
    Tensor constant;
    const ir::Node* node = nullptr;
    std::vector<std::uint32_t> operands;  ///< earlier steps
    DType dtype = DType::Float32;
};

struct Schedule {
    Shape extents;  ///< merged iteration axes, outermost first; the last is the inner run
    std::vector<Load> loads;
    std::vector<BodyStep> body;
    std::vector<std::pair<std::uint32_t, Store>> stores;          ///< (body step, where)
    std::vector<std::pair<std::uint32_t, Reduction>> reductions;  ///< over the inner run
    std::int64_t count = 1;                                       ///< elements of the iteration space
    bool flat = false;  ///< one axis: every operand is contiguous or a single element

    std::int64_t inner() const noexcept { return extents.empty() ? 1 : extents.back(); }
    /// Whether a load reads the element that the step of the iteration is at, and each once.
    bool element_by_element(const Load& load) const noexcept;
    std::int64_t rows() const noexcept { return inner() ? count / inner() : 0; }
    /// Everything that the generated code depends on; equal keys may share one function. Extents that are only loop
    /// bounds are left out for flat schedules.
    std::string key() const;
};

/// Empty when the region is not of the kind that is generated (then `why` says so).
std::optional<Schedule> make_schedule(const ir::Graph& region, std::string& why);

}  // namespace fusescope::codegen
