#include "engine/trace/region.hpp"

#include <algorithm>

#include "fusescope/error.hpp"

namespace fusescope::trace {
namespace {

struct Traced {
    ir::GraphPtr graph;
    std::vector<Tensor> captured;  // what it uses besides its operands, from the surrounding trace
};

// What the operands of a region wait for while it is traced: they have no values to look at.
class StandIns final : public PendingSlot {
 public:
    explicit StandIns(Trace& trace) : trace_(trace) {}
    ~StandIns() override {
        for (TensorImpl* t : waiting_) t->pending = &lost_values();
    }
    Tensor make(const TensorType& type) {
        Tensor t = Tensor::adopt(make_impl(type.dtype, type.shape));
        wait(*t.impl());
        trace_.add_leaf(t);
        return t;
    }
    void force(TensorImpl&, TransferReason reason) override { throw Trace::Unsupported{break_reason(reason)}; }
    void follow(TensorImpl& from, TensorImpl& to) override {
        wait(to);
        trace_.same_value(Tensor::share(&to), Tensor::share(&from));
    }
    void forget(TensorImpl& impl) noexcept override { std::erase(waiting_, &impl); }

 private:
    void wait(TensorImpl& impl) {
        impl.pending = this;
        waiting_.push_back(&impl);
    }
    Trace& trace_;
    std::vector<TensorImpl*> waiting_;
};

// Traces `f` on stand-ins for the operands. Everything else it touches becomes an input after them.
Traced trace_region(Context& context, const char* name, const TensorFunction& f, std::span<const Tensor> operands) {
    Trace inner(context, name);
    inner.region = true;
    inner.outer_values = true;
    StandIns waiting(inner);
    std::vector<Tensor> stand_ins;
    for (const Tensor& t : operands) stand_ins.push_back(waiting.make(t.type()));
    struct Restore {
        Context& c;
        TraceSink* outer;
        ~Restore() {
            c.take_turn();
            c.return_to(outer);
        }
    } restore{context, context.outer_trace()};
    context.trace = &inner;
    context.update();
    std::vector<Tensor> results = f(stand_ins);
    context.take_turn();
    std::vector<std::uint32_t> outputs;
    for (Tensor& r : results) {
        // A result that is no op of the region (an operand handed back, a captured tensor) goes through an identity.
        if (inner.value_of(r) < 0) r = inner.pass_through(r);
        outputs.push_back(static_cast<std::uint32_t>(inner.value_of(r)));
    }
    Trace::Built built = inner.build(outputs, stand_ins);
    Traced traced;
    traced.graph = built.graph;
    for (std::size_t i = 0; i < built.leaves.size(); ++i) {
        const Leaf& leaf = built.leaves[i];
        const bool operand =
            std::any_of(stand_ins.begin(), stand_ins.end(), [&](const Tensor& s) { return s.impl() == leaf.id; });
        if (!operand) traced.captured.push_back(inner.original(leaf));
    }
    inner.abandon();
    return traced;
}

// Rebuilds a region's input list to: operands (all of them, used or not), then `all` captured tensors.
ir::GraphPtr with_inputs(const Traced& t, std::span<const Tensor> operands, const std::vector<Tensor>& all) {
    auto graph = std::make_shared<ir::Graph>(*t.graph);
    std::vector<ir::NodePtr> old = graph->inputs;
    graph->inputs.clear();
    std::size_t next = 0;
    for (std::size_t i = 0; i < operands.size(); ++i) graph->inputs.push_back(old[next++]);
    for (const Tensor& c : all) {
        auto it = std::find_if(t.captured.begin(), t.captured.end(), [&](const Tensor& x) { return same(x, c); });
        if (it != t.captured.end()) {
            graph->inputs.push_back(old[next + static_cast<std::size_t>(it - t.captured.begin())]);
        } else {
            auto unused = std::make_shared<ir::Node>();
            unused->id = ir::next_node_id();
            unused->kind = ir::NodeKind::input;
            unused->name = "unused" + std::to_string(graph->inputs.size());
            unused->types = {c.type()};
            graph->inputs.push_back(unused);
        }
    }
    return graph;
}

void add_missing(std::vector<Tensor>& all, const std::vector<Tensor>& more) {
    for (const Tensor& t : more) {
        if (std::none_of(all.begin(), all.end(), [&](const Tensor& x) { return same(x, t); })) all.push_back(t);
    }
}

std::string types_text(const ir::Graph& g) {
    std::string s;
    for (const ir::Value& v : g.outputs) s += (s.empty() ? "" : ", ") + to_string(v.type());
    return "(" + s + ")";
}

std::vector<TensorType> types_of(const ir::Graph& g) {
    std::vector<TensorType> types;
    for (const ir::Value& v : g.outputs) types.push_back(v.type());
    return types;
}

}  // namespace

std::optional<std::vector<Tensor>> trace_cond(Context& context, const Tensor& predicate, const TensorFunction& if_true,
                                              const TensorFunction& if_false, std::span<const Tensor> operands,
                                              std::string& why) {
    auto* trace = static_cast<Trace*>(context.trace);
    try {
        const Traced yes = trace_region(context, "if_true", if_true, operands);
        const Traced no = trace_region(context, "if_false", if_false, operands);
        if (types_of(*yes.graph) != types_of(*no.graph)) {
            throw UserError(ErrorKind::type, "If",
                            "cond: the branches must give the same dtypes and shapes, but true_fn gives " +
                                types_text(*yes.graph) + " and false_fn gives " + types_text(*no.graph),
                            {types_text(*yes.graph), types_text(*no.graph)},
                            "cast or reshape one of them inside its branch");
        }
        std::vector<Tensor> captured;
        add_missing(captured, yes.captured);
        add_missing(captured, no.captured);
        std::vector<Tensor> inputs{predicate};
        inputs.insert(inputs.end(), operands.begin(), operands.end());
        inputs.insert(inputs.end(), captured.begin(), captured.end());
        return trace->append_regions(ir::NodeKind::cond, inputs,
                                     {with_inputs(yes, operands, captured), with_inputs(no, operands, captured)},
                                     types_of(*yes.graph));
    } catch (const Trace::Unsupported& u) {
        why = u.reason;
        return std::nullopt;
    }
}

std::optional<std::vector<Tensor>> trace_loop(Context& context, const TensorFunction& condition,
                                              const TensorFunction& body, std::span<const Tensor> state,
                                              std::string& why) {
    auto* trace = static_cast<Trace*>(context.trace);
    try {
        const Traced test = trace_region(context, "loop_condition", condition, state);
        const Traced step = trace_region(context, "loop_body", body, state);
        const std::vector<TensorType> result = types_of(*step.graph);
        bool fits = result.size() == state.size();
        for (std::size_t i = 0; fits && i < state.size(); ++i) fits = result[i] == state[i].type();
        if (!fits) {
            std::string before;
            for (const Tensor& t : state) before += (before.empty() ? "" : ", ") + to_string(t.type());
            throw UserError(ErrorKind::type, "While",
                            "while_loop: the body must give a state of the same dtypes and shapes; it got (" + before +
                                ") and gives " + types_text(*step.graph),
                            {"(" + before + ")", types_text(*step.graph)},
                            "cast the result, or start with the right type");
        }
        if (test.graph->outputs.size() != 1 || test.graph->outputs[0].type().shape.count() != 1) {
            throw UserError(
                ErrorKind::type, "While",
                "while_loop: the condition must give one Bool element, but it gives " + types_text(*test.graph));
        }
        std::vector<Tensor> captured;
        add_missing(captured, test.captured);
        add_missing(captured, step.captured);
        std::vector<Tensor> inputs(state.begin(), state.end());
        inputs.insert(inputs.end(), captured.begin(), captured.end());
        return trace->append_regions(ir::NodeKind::loop, inputs,
                                     {with_inputs(test, state, captured), with_inputs(step, state, captured)}, result);
    } catch (const Trace::Unsupported& u) {
        why = u.reason;
        return std::nullopt;
    }
}

}  // namespace fusescope::trace
