// A composite that ran as one op (an optimizer's update) explained by its parts: they run again on copies of its
// operands, with a history of their own.
#include <cmath>

#include "engine/core/tensor_impl.hpp"
#include "engine/debug/again.hpp"
#include "engine/debug/explain/birth.hpp"
#include "engine/exec/watch.hpp"
#include "fusescope/error.hpp"

namespace fusescope::debug {
namespace {

constexpr std::uint8_t kNan = static_cast<std::uint8_t>(HealthBits::nan);
constexpr std::uint8_t kInf = static_cast<std::uint8_t>(HealthBits::inf);

class Parts final : public OpsAgain {
 public:
    Parts(Context& context, History& history, const BadElement& whole)
        : context_(context), history_(history), whole_(whole) {}

    void after_op(const OpCall& call, std::span<const Tensor> outputs, EventId) override {
        history_.add_op(call, outputs, 0);
        if (found.op || outputs.empty() || !is_float(outputs[0].dtype())) return;
        std::uint8_t before = 0;
        for (const Tensor& t : call.inputs) {
            if (t.defined() && is_float(t.dtype())) before |= exec::look(exec::seen(t));
        }
        const std::uint8_t bits = exec::look(exec::seen(outputs[0]));
        const bool born = whole_.nan ? (bits & kNan) && !(before & kNan) : (bits & kInf) && !(before & (kNan | kInf));
        if (born) explain(call, outputs[0]);
    }

    PartBirth found;
    Element end;  ///< in this history
    bool has_end = false;

 private:
    bool bad_at(const Tensor& t, std::int64_t i) const {
        const double v = number_at(t, i);
        return whole_.nan ? std::isnan(v) : std::isinf(v);
    }
    void explain(const OpCall& call, const Tensor& output) {
        // The same element as in the whole where that is one of them.
        std::int64_t index = whole_.index;
        if (output.shape() != whole_.output.shape() || !bad_at(output, index)) {
            index = 0;
            while (index < output.count() && !bad_at(output, index)) ++index;
        }
        const BadElement bad{call.op, call.attrs, call.inputs, output, index, whole_.nan, whole_.phase, nullptr};
        const std::vector<Source> sources = sources_of(context_, call.op, call.attrs, call.inputs, output, index);
        const Verdict verdict = judge(bad, sources);
        found.op = &call.op;
        found.rule = verdict.rule;
        for (const Source& s : sources) {
            found.inputs.push_back(number_text(s.number, call.inputs[s.operand].dtype()));
        }
        if (!verdict.blamed) return;
        const Tensor& blamed = call.inputs[verdict.blamed->operand];
        found.chain = chain_of(history_, context_, history_.value_of(blamed), blamed, verdict.blamed->index, &end);
        has_end = true;
    }

    Context& context_;
    History& history_;
    const BadElement& whole_;
};

}  // namespace

PartBirth birth_in_parts(Context& context, const BadElement& bad, FrameId frame) {
    const Again again(context, context.seed, context.random_ops);
    History history(context, {});
    std::vector<Tensor> copies;
    std::vector<ValueId> operands;
    for (const Tensor& t : bad.inputs) {
        copies.push_back(t.defined() ? stored_tensor(t) : Tensor());
        if (t.defined()) copies.back().impl()->history = 0;
        operands.push_back(history.value_of(copies.back()));
    }
    Parts parts(context, history, bad);
    struct Restore {
        Context& c;
        FrameId frame;
        const OpDef* part_of;
        ~Restore() {
            c.forced_frame = frame;
            c.part_of = part_of;
            c.hook = nullptr;
        }
    } const restore{context, context.forced_frame, context.part_of};
    context.forced_frame = frame;
    context.part_of = nullptr;
    context.hook = &parts;
    context.update();
    try {
        bad.op.decompose(copies, bad.attrs);
    } catch (const UserError&) {
        return {};  // the op itself ran; what its parts say is not worth an error
    }
    PartBirth found = std::move(parts.found);
    for (std::size_t i = 0; parts.has_end && i < operands.size(); ++i) {
        if (operands[i] == 0 || operands[i] != parts.end.value) continue;
        found.from = {i, parts.end.index};
        found.has_operand = true;
        found.chain.pop_back();  // the operand: what made it is said by the history of the run
        break;
    }
    return found;
}

}  // namespace fusescope::debug
