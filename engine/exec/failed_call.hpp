// An op that refused its operands: what the explanation of a user's mistake starts from.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/core/context.hpp"
#include "engine/ir/graph.hpp"
#include "engine/ir/op_def.hpp"
#include "fusescope/error.hpp"

namespace fusescope::exec {

struct FailedCall {
    struct Operand {
        TensorType type;
        bool present = false;
        std::string name;           ///< of a Parameter, or as the caller calls it; may be empty
        Tensor tensor;              ///< undefined in a graph that runs, unless it holds indices
        std::uint32_t made_by = 0;  ///< in Producers
        std::string origin_op;      ///< of a value of a graph: the op that made it,
        FrameId origin_frame = 0;   ///< and its line
    };

    const OpDef* op = nullptr;  ///< null for a mistake outside of ops, such as a weight of the wrong shape
    Attrs attrs;
    std::vector<Operand> operands;  ///< in the order of the op's schema
    FrameId frame = 0;
    ScopeId scope = 0;
};

/// The UserError of an op, with the call that was refused.
class OpError : public UserError {
 public:
    OpError(const UserError& error, FailedCall call);
    const FailedCall& call() const noexcept { return *call_; }
    /// Of the wrong element in the operand that holds it; empty when it is about no element.
    const std::vector<std::int64_t>& index() const noexcept { return index_; }

 private:
    std::shared_ptr<const FailedCall> call_;
    std::vector<std::int64_t> index_;
};

/// Throws the error as OpError, or as it is when it is one already. Call it inside a catch block.
[[noreturn]] void rethrow(const UserError& error, Context& context, const OpDef& op, std::span<const Tensor> inputs,
                          const Attrs& attrs);

/// The same for a node of a running graph; `data` are its operands where they lie, null for absent ones.
[[noreturn]] void rethrow(const UserError& error, const ir::Node& node, std::span<void* const> data);

}  // namespace fusescope::exec
