#include "fusescope/control_flow.hpp"

#include "engine/core/context.hpp"
#include "engine/core/tensor_impl.hpp"
#include "engine/trace/region.hpp"
#include "fusescope/error.hpp"
#include "fusescope/op_call.hpp"

namespace fusescope {
namespace {

// A Bool scalar, as the regions want it.
Tensor flag_of(const Tensor& t) {
    static const Op cast("Cast"), reshape("Reshape");
    if (t.count() != 1) {
        throw UserError(ErrorKind::shape, "",
                        "a condition must have one element, but its shape is " + to_string(t.shape()),
                        {to_string(t.shape())}, "reduce it first, for example with ops::reduce_all");
    }
    Tensor flag = t.dtype() == DType::Bool ? t : cast.one({t}, {DType::Bool});
    return flag.rank() == 0 ? flag : reshape.one({flag}, {Ints{}});
}

bool traced(const Context& context) { return context.trace && context.tapes.empty(); }

}  // namespace

Tensors cond(const Tensor& predicate, const TensorFunction& if_true, const TensorFunction& if_false,
             std::span<const Tensor> operands) {
    Context& context = Context::current();
    const Tensor flag = flag_of(predicate);
    if (traced(context)) {
        std::string why;
        if (auto results = trace::trace_cond(context, flag, if_true, if_false, operands, why)) return *results;
    }
    return flag.item() != 0 ? if_true(operands) : if_false(operands);
}

Tensors while_loop(const TensorFunction& condition, const TensorFunction& body, std::span<const Tensor> state) {
    Context& context = Context::current();
    if (traced(context) && !state.empty()) {
        auto test = [&](std::span<const Tensor> s) { return Tensors{flag_of(condition(s).at(0))}; };
        std::string why;
        if (auto results = trace::trace_loop(context, test, body, state, why)) return *results;
    }
    Tensors now(state.begin(), state.end());
    while (flag_of(condition(now).at(0)).item() != 0) now = body(now);
    return now;
}

}  // namespace fusescope
