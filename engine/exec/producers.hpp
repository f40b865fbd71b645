// Which call made a tensor, and out of what: for explaining a shape by the lines it comes from. Kept for values that
// wait in a trace as well, which no history of values knows.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/core/context.hpp"
#include "engine/ir/op_def.hpp"

namespace fusescope::exec {

/// What made a tensor: an op, or the program out of data of its own.
struct Producer {
    static constexpr std::size_t kOperands = 4;  ///< the first few are kept
    struct Operand {
        TensorType type;
        std::uint32_t made_by = 0;             ///< its own producer
        const TensorImpl* identity = nullptr;  ///< for comparing only: the tensor may be gone
        bool present = false;
    };

    std::uint32_t number = 0;
    const OpDef* op = nullptr;  ///< null: `data` says what it is
    const char* data = "";      ///< "Tensor", "Parameter"
    Attrs attrs;
    std::array<Operand, kOperands> operands;
    std::uint32_t operand_count = 0;  ///< of the call; more than kOperands are possible
    FrameId frame = 0;
    ScopeId scope = 0;
};

/// The last calls, and all Parameters. A number that was given out long ago is not found any more.
class Producers {
 public:
    Producers();

    /// Notes the call that made `outputs` and gives them its number.
    void made(const OpDef& op, std::span<const Tensor> inputs, const Attrs& attrs, std::span<const Tensor> outputs,
              FrameId frame, ScopeId scope);
    /// Notes that the program made `tensor` itself; `what` is "Tensor" or "Parameter" and lives for ever.
    void from_data(const Tensor& tensor, const char* what, FrameId frame, ScopeId scope);

    /// Null when it is unknown or forgotten.
    const Producer* find(std::uint32_t number) const noexcept;

 private:
    static constexpr std::uint32_t kRing = 4096;
    static constexpr std::uint32_t kPermanent = 0x80000000u;  ///< numbers of Parameters
    static constexpr std::size_t kMostPermanent = 65536;

    std::vector<Producer> ring_;
    std::vector<Producer> permanent_;
    std::uint32_t next_ = 1;
};

/// What made a tensor; null when nothing is noted or it is forgotten.
const Producer* producer_of(const Context& context, const Tensor& t) noexcept;

/// The line at which a tensor was made; 0 when it is not known.
FrameId origin_frame(const Context& context, const Tensor& t) noexcept;

}  // namespace fusescope::exec
