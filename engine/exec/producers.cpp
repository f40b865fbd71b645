#include "engine/exec/producers.hpp"

#include <algorithm>

#include "engine/core/tensor_impl.hpp"

namespace fusescope::exec {

Producers::Producers() : ring_(kRing) {}

void Producers::made(const OpDef& op, std::span<const Tensor> inputs, const Attrs& attrs,
                     std::span<const Tensor> outputs, FrameId frame, ScopeId scope) {
    const std::uint32_t number = next_;
    next_ = next_ + 1 == kPermanent ? 1 : next_ + 1;
    Producer& p = ring_[number % kRing];
    p.number = number;
    p.op = &op;
    p.attrs = attrs;
    p.frame = frame;
    p.scope = scope;
    p.operand_count = static_cast<std::uint32_t>(inputs.size());
    for (std::size_t i = 0; i < std::min(inputs.size(), Producer::kOperands); ++i) {
        Producer::Operand& to = p.operands[i];
        to.present = inputs[i].defined();
        if (!to.present) continue;
        to.type = inputs[i].type();
        to.made_by = inputs[i].impl()->made_by;
        to.identity = inputs[i].impl();
    }
    // An output that is a Parameter (Assign) has its shape from where it was made.
    for (const Tensor& t : outputs) {
        if (t.defined() && !t.impl()->parameter) t.impl()->made_by = number;
    }
}

void Producers::from_data(const Tensor& tensor, const char* what, FrameId frame, ScopeId scope) {
    Producer* p = nullptr;
    std::uint32_t number = 0;
    if (tensor.impl()->parameter && permanent_.size() < kMostPermanent) {
        number = kPermanent + static_cast<std::uint32_t>(permanent_.size());
        p = &permanent_.emplace_back();
    } else {
        number = next_;
        next_ = next_ + 1 == kPermanent ? 1 : next_ + 1;
        p = &ring_[number % kRing];
    }
    p->number = number;
    p->op = nullptr;
    p->data = what;
    p->operand_count = 0;
    p->frame = frame;
    p->scope = scope;
    tensor.impl()->made_by = number;
}

const Producer* Producers::find(std::uint32_t number) const noexcept {
    if (number == 0) return nullptr;
    if (number >= kPermanent) {
        const std::size_t at = number - kPermanent;
        return at < permanent_.size() ? &permanent_[at] : nullptr;
    }
    const Producer& p = ring_[number % kRing];
    return p.number == number ? &p : nullptr;
}

const Producer* producer_of(const Context& context, const Tensor& t) noexcept {
    return context.producers && t.defined() ? context.producers->find(t.impl()->made_by) : nullptr;
}

FrameId origin_frame(const Context& context, const Tensor& t) noexcept {
    const Producer* p = producer_of(context, t);
    return p ? p->frame : 0;
}

}  // namespace fusescope::exec
