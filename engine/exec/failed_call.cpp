#include "engine/exec/failed_call.hpp"

#include <cstring>

#include "engine/core/context.hpp"
#include "engine/core/index_error.hpp"
#include "engine/core/tensor_impl.hpp"

namespace fusescope::exec {

namespace {

std::vector<std::int64_t> index_of(const UserError& error) {
    const auto* index = dynamic_cast<const IndexError*>(&error);
    return index ? index->place() : std::vector<std::int64_t>();
}

}  // namespace

OpError::OpError(const UserError& error, FailedCall call)
    : UserError(error), call_(std::make_shared<const FailedCall>(std::move(call))), index_(index_of(error)) {}

void rethrow(const UserError& error, Context& context, const OpDef& op, std::span<const Tensor> inputs,
             const Attrs& attrs) {
    if (dynamic_cast<const OpError*>(&error)) throw;
    FailedCall call;
    call.op = &op;
    call.attrs = attrs;
    call.frame = context.frame();
    call.scope = context.scope;
    for (const Tensor& t : inputs) {
        FailedCall::Operand& o = call.operands.emplace_back();
        o.present = t.defined();
        if (!o.present) continue;
        o.type = t.type();
        o.tensor = t;
        o.made_by = t.impl()->made_by;
        if (t.impl()->parameter) o.name = t.impl()->parameter->name;
    }
    throw OpError(error, std::move(call));
}

void rethrow(const UserError& error, const ir::Node& node, std::span<void* const> data) {
    if (dynamic_cast<const OpError*>(&error) || !node.op) throw;
    FailedCall call;
    call.op = node.op;
    call.attrs = node.attrs;
    call.frame = node.frame;
    call.scope = node.scope;
    const auto& schema = node.op->schema.operands;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
        FailedCall::Operand& o = call.operands.emplace_back();
        const ir::Value& v = node.inputs[i];
        o.present = v.node != nullptr;
        if (!o.present) continue;
        o.type = v.type();
        o.origin_frame = v.node->frame;
        if (v.node->kind == ir::NodeKind::parameter) o.name = v.node->name;
        if (v.node->kind == ir::NodeKind::op) o.origin_op = v.node->op_name();
        const Accept accept = schema[std::min(i, schema.size() - 1)].accept;
        if (accept == Accept::index && data[i]) {
            o.tensor = make_tensor(o.type.dtype, o.type.shape, DeviceKind::cpu);
            std::memcpy(o.tensor.impl()->raw(), data[i], o.type.bytes());
        }
    }
    throw OpError(error, std::move(call));
}

}  // namespace fusescope::exec
