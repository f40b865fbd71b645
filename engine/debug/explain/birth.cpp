#include "engine/debug/explain/birth.hpp"

#include "engine/core/context.hpp"
#include "engine/core/tensor_impl.hpp"

namespace fusescope::debug {
namespace {

// Materialised operands of an entry; an undefined one is gone or absent.
std::vector<Tensor> operands_of(History& history, const Entry& e) {
    std::vector<Tensor> in;
    for (ValueId id : e.inputs) in.push_back(id ? history.materialize(id) : Tensor());
    return in;
}

FindingLink link_to(const Entry& e, const Tensor& value, std::int64_t index) {
    FindingLink link;
    if (e.kind == EntryKind::op) link.op = e.op->name();
    if (e.kind == EntryKind::input) link.op = e.number ? "number" : "Tensor";
    link.frame = e.frame;
    link.phase = e.phase;
    link.index = index_of(index, value.shape());
    link.value = number_text(number_at(value, index), value.dtype());
    return link;
}

}  // namespace

std::vector<FindingLink> chain_of(History& history, Context& context, ValueId start, const Tensor& first,
                                  std::int64_t index, Element* end) {
    std::vector<FindingLink> chain;
    ValueId at = start;
    Oddity oddity = Oddity::none;
    while (chain.size() < kLongestChain) {
        const Tensor value = chain.empty() ? first : history.materialize(at);
        const Value* known = history.value(at);
        if (!value.defined() || !known || index >= value.count()) break;
        const Entry* e = history.entry(known->made_by);
        if (!e) break;
        if (chain.empty()) oddity = oddity_of(number_at(value, index), value.dtype());
        if (end) *end = {at, index};
        chain.push_back(link_to(*e, value, index));
        if (e->kind != EntryKind::op || oddity == Oddity::none) break;
        const std::vector<Tensor> in = operands_of(history, *e);
        bool whole = true;
        for (std::size_t i = 0; i < in.size(); ++i) whole = whole && (in[i].defined() || e->inputs[i] == 0);
        if (!whole) break;
        // A sum that is zero is the cause itself; that each of its terms was zero says no more.
        const bool stops = !e->op->elementwise() && oddity != Oddity::nan && oddity != Oddity::infinite;
        const std::vector<Source> sources = sources_of(context, *e->op, e->attrs, in, value, index);
        const Source* next = nullptr;
        for (const Source& s : sources) {
            if (stops && !s.passed_on) continue;
            const Value* from = history.value(e->inputs[s.operand]);
            const Entry* maker = from ? history.entry(from->made_by) : nullptr;
            if (maker && maker->number) continue;
            if (oddity_of(s.number, in[s.operand].dtype()) == oddity) {
                next = &s;
                break;
            }
        }
        if (!next) break;
        at = e->inputs[next->operand];
        index = next->index;
    }
    return chain;
}

namespace {

// What cannot be said of the op itself may be clear from its parts.
bool vague(const BadElement& bad, const std::string& rule) {
    return bad.op.decompose && !bad.op.elementwise() && (bad.op.schema.traits.writes || rule == "nan_born");
}

}  // namespace

bool explain_birth(History& history, Context& context, const BadElement& bad, std::span<const ValueId> operands,
                   Finding& f) {
    f.index = index_of(bad.index, bad.output.shape());
    f.has_index = true;
    f.shapes.clear();
    for (const Tensor& t : bad.inputs) {
        if (t.defined()) f.shapes.push_back(to_string(t.shape()));
    }
    const std::vector<Source> sources = sources_of(context, bad.op, bad.attrs, bad.inputs, bad.output, bad.index);
    if (is_right(bad, sources)) return false;
    const Verdict verdict = judge(bad, sources);
    f.rule = verdict.rule;
    f.inputs.clear();
    for (const Source& s : sources) f.inputs.push_back(number_text(s.number, bad.inputs[s.operand].dtype()));
    if (bad.part_of) f.arguments.emplace_back("computed_by", bad.op.name());
    f.chain.clear();
    Element from;
    std::size_t operand = 0;
    bool blamed = false;
    if (verdict.blamed) {
        blamed = true;
        operand = verdict.blamed->operand;
        from.index = verdict.blamed->index;
    }
    if (vague(bad, f.rule)) {
        const PartBirth part = birth_in_parts(context, bad, f.frame);
        if (part.op) {
            f.rule = part.rule;
            f.inputs = part.inputs;
            f.chain = part.chain;
            f.arguments.emplace_back("computed_by", part.op->name());
            blamed = part.has_operand;
            operand = static_cast<std::size_t>(part.from.value);
            from.index = part.from.index;
        }
    }
    if (!blamed) return true;
    from.value = operands[operand];
    const Value* known = history.value(from.value);
    const Entry* maker = known ? history.entry(known->made_by) : nullptr;
    if (!maker || maker->number) return true;
    for (FindingLink& link : chain_of(history, context, from.value, bad.inputs[operand], from.index)) {
        if (f.chain.size() < kLongestChain) f.chain.push_back(std::move(link));
    }
    for (auto link = f.chain.rbegin(); link != f.chain.rend(); ++link) {
        if (link->frame == 0) continue;  // values from before the history have no line
        f.root_op = link->op;
        f.root_frame = link->frame;
        f.root_index = link->index;
        f.root_value = link->value;
        break;
    }
    return true;
}

}  // namespace fusescope::debug
