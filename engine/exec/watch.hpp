// Looking at op outputs for NaN and Inf, and telling the birth of one from its passing on.
#pragma once

#include <functional>

#include "engine/exec/dispatch.hpp"

namespace fusescope::exec {

/// A value where it lies: a tensor's bytes, or a slot of a running graph.
struct Seen {
    const TensorType* type = nullptr;  ///< null for an absent operand
    void* data = nullptr;
    std::uint8_t* health = nullptr;  ///< HealthBits of this value; 0 while nobody looked
    bool may_change = false;         ///< a Parameter: what was seen once may be gone
    bool known_finite = false;       ///< whoever computed it has looked
};

Seen seen(const Tensor& t);

/// The value's HealthBits, found out now when nobody has looked yet.
std::uint8_t look(const Seen& value);

/// Computes health (and statistics, by watch level) of each float output, publishes it, and tells the hook where a NaN
/// or Inf is born: an output has one and no input had.
void watch_outputs(Context& context, const Execution& execution, const OpEvent& event, std::span<const Seen> inputs,
                   std::span<const Seen> outputs);

/// The program made a tensor of its own data; a NaN or Inf in it is not born in any op. `exact` gives the same data in
/// Float64; it is asked when the element type may have made something infinite.
void watch_input(Context& context, const Tensor& made, const std::function<Tensor()>& exact);

/// As the one of dispatch.hpp, without tensors. Operands are looked at only when `context.watch` asks for it.
EventId publish(Context& context, const Execution& execution, std::span<const Seen> inputs,
                std::span<const Seen> outputs);

}  // namespace fusescope::exec
