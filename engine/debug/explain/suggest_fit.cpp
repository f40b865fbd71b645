// What would fit, found by trying: an operand with another layout, and whether the op would take it.
#include <algorithm>
#include <array>

#include "engine/debug/explain/explanation.hpp"
#include "engine/ops/op_ids.hpp"

namespace fusescope::explain {
namespace {

void root_at_maker(const Case& c, std::size_t operand, Fit& f) {
    if (const exec::Producer* p = c.maker(operand)) {
        f.root_op = p->op ? p->op->name() : p->data;
        f.root_frame = p->frame;
    }
}

bool with_shape(const Case& c, std::size_t operand, const Shape& shape) {
    std::vector<TensorType> types = c.types();
    types[operand].shape = shape;
    return c.accepts(types, c.call.attrs);
}

bool has(const std::vector<Fit>& fits, const char* key) {
    return std::any_of(fits.begin(), fits.end(), [&](const Fit& f) { return f.key == key; });
}

// The producer before elementwise ops that left the shape as it is: sqrt(x.sum(1)) + 1 has its shape from the sum.
const exec::Producer* shaped_by(const Case& c, const exec::Producer* p, const Shape& shape) {
    for (int steps = 0; p && p->op && p->op->elementwise() && steps < 16; ++steps) {
        const exec::Producer* before = nullptr;
        for (std::size_t i = 0; i < std::min<std::size_t>(p->operand_count, exec::Producer::kOperands); ++i) {
            const auto& o = p->operands[i];
            if (!before && o.present && o.type.shape == shape) before = c.producer(o.made_by);
        }
        p = before;
    }
    return p;
}

std::string called(const Case& c, FrameId frame) {
    const std::string place = c.place(frame);
    return place.empty() ? "" : place == "this line" ? " of this line" : " at " + place;
}

}  // namespace

void fit_keep_dims(const Case& c, std::vector<Fit>& fits) {
    for (std::size_t i = 0; i < c.call.operands.size(); ++i) {
        if (!c.call.operands[i].present) continue;
        const exec::Producer* p = shaped_by(c, c.maker(i), c.type(i).shape);
        if (!p || !p->op || !p->op->schema.traits.reduction || !p->operands[0].present) continue;
        const int keep = p->op->attribute("keep_dims");
        if (keep < 0) continue;
        Attrs attrs = p->attrs;
        if (attrs.boolean(static_cast<std::size_t>(keep))) continue;
        attrs[static_cast<std::size_t>(keep)] = true;
        std::vector<TensorType> results;
        const TensorType in[1] = {p->operands[0].type};
        const bool present[1] = {true};
        InferContext infer{*p->op, in, present, attrs, results};
        try {
            p->op->infer(infer);
        } catch (const UserError&) {
            continue;
        }
        if (!with_shape(c, i, results[0].shape)) continue;
        Fit f;
        f.key = "fit_keep_dims";
        f.root_op = p->op->name();
        f.root_frame = p->frame;
        f.arguments = {{"fit_operand", c.label(i)},
                       {"fit_op", p->op->name()},
                       {"fit_place", c.place(p->frame)},
                       {"fit_shape", to_string(results[0].shape)}};
        f.text = "keep_dims=True in the " + p->op->name() + called(c, p->frame) + ": " + c.label(i) + " is then " +
                 to_string(results[0].shape);
        fits.push_back(std::move(f));
    }
}

// Images with the channels last where they must be first, or the other way round.
void fit_layout(const Case& c, std::vector<Fit>& fits) {
    constexpr std::array<std::array<std::size_t, 4>, 2> orders = {{{0, 3, 1, 2}, {0, 2, 3, 1}}};
    const char* words[2] = {"0, 3, 1, 2", "0, 2, 3, 1"};
    for (std::size_t i = 0; i < c.call.operands.size(); ++i) {
        const bool weight = c.call.op && c.call.op->id == op::conv2d && i > 0;
        if (!c.call.operands[i].present || c.type(i).shape.rank() != 4 || weight) continue;
        for (std::size_t k = 0; k < orders.size(); ++k) {
            Shape moved;
            for (std::size_t axis : orders[k]) moved.push_back(c.type(i).shape[axis]);
            if (!with_shape(c, i, moved)) continue;
            Fit f;
            f.key = k == 0 ? "fit_channels_first" : "fit_channels_last";
            f.arguments = {{"fit_operand", c.label(i)},
                           {"fit_order", words[k]},
                           {"fit_shape", to_string(moved)},
                           {"fit_axis", k == 0 ? "3" : "1"},
                           {"fit_extent", std::to_string(c.type(i).shape[k == 0 ? 3 : 1])}};
            f.text = c.label(i) + ".transpose(" + words[k] + "), which is " + to_string(moved) +
                     (k == 0 ? ": the channels seem to be last, axis 3 is "
                             : ": the channels seem to be first, axis 1 is ") +
                     std::to_string(c.type(i).shape[k == 0 ? 3 : 1]);
            root_at_maker(c, i, f);
            fits.push_back(std::move(f));
            return;
        }
    }
}

void fit_transpose(const Case& c, std::vector<Fit>& fits) {
    if (has(fits, "fit_channels_first") || has(fits, "fit_channels_last")) return;
    const bool product = c.call.op && (c.call.op->id == op::matmul || c.call.op->id == op::dense);
    for (std::size_t i = c.call.operands.size(); i-- > 0;) {
        if (!c.call.operands[i].present || c.type(i).shape.rank() < 2) continue;
        if (c.call.op && !is_float(c.type(i).dtype) && !product && !c.call.op->elementwise()) continue;  // indices
        // Where ranks differ an axis is missing, and a transpose would fit by chance.
        if (c.call.op && !product && c.type(0).shape.rank() != c.type(c.call.operands.size() - 1).shape.rank()) return;
        Shape swapped = c.type(i).shape;
        std::swap(swapped[swapped.size() - 1], swapped[swapped.size() - 2]);
        if (swapped == c.type(i).shape) continue;
        // Outside of ops the first operand is what is wanted, and the second is what was given.
        const bool fitting = c.call.op ? with_shape(c, i, swapped) : i == 1 && swapped == c.type(0).shape;
        if (!fitting) continue;
        const bool two = swapped.rank() == 2;
        const exec::Producer* p = c.maker(i);
        const bool weight = p && !p->op && std::string_view(p->data) == "Parameter";
        Fit f;
        const bool made = c.error.op() == "Parameter" || c.error.op() == "initializer";  // of a given weight
        f.key = weight || made ? "fit_swap_weight" : "fit_transpose";
        const std::string expression = c.label(i) + (two ? ".T" : ".swapaxes(-1, -2)");
        f.arguments = {{"fit_operand", c.label(i)}, {"fit_expression", expression}, {"fit_shape", to_string(swapped)}};
        f.text = expression + ", which is " + to_string(swapped);
        if (f.key == "fit_swap_weight")
            f.text += ": the weight seems to be (in, out) where (out, in) is wanted, or the reverse";
        root_at_maker(c, i, f);
        fits.push_back(std::move(f));
    }
}

// The product of what the other way round would be one.
void fit_swap_operands(const Case& c, std::vector<Fit>& fits) {
    if (!c.call.op || c.call.op->id != op::matmul || c.call.operands.size() != 2 || !fits.empty()) return;
    std::vector<TensorType> types = c.types();
    std::swap(types[0], types[1]);
    if (types[0].shape == types[1].shape || !c.accepts(types, c.call.attrs)) return;
    Fit f;
    f.key = "fit_swap_operands";
    f.text = "the operands the other way round: " + c.label(1) + " times " + c.label(0);
    f.arguments = {{"fit_operand", c.label(1)}, {"fit_other", c.label(0)}};
    root_at_maker(c, 0, f);
    fits.push_back(std::move(f));
}

void fit_expand_dims(const Case& c, std::vector<Fit>& fits) {
    if (!c.call.op) return;
    std::size_t rank = 0;
    for (const auto& o : c.call.operands) rank = std::max(rank, o.present ? o.type.shape.size() : 0);
    const bool convolution = c.call.op->id == op::conv2d;
    if (c.call.op->id == op::matmul || c.call.op->id == op::dense) return;
    for (std::size_t i = 0; i < c.call.operands.size(); ++i) {
        if (!c.call.operands[i].present || c.type(i).shape.size() >= rank) continue;
        for (std::size_t at = 0; at <= (convolution ? 0 : c.type(i).shape.size()); ++at) {
            Shape widened = c.type(i).shape;
            widened.insert(widened.begin() + at, 1);
            if (!with_shape(c, i, widened)) continue;
            Fit f;
            f.key = "fit_expand_dims";
            f.arguments = {
                {"fit_operand", c.label(i)}, {"fit_axis", std::to_string(at)}, {"fit_shape", to_string(widened)}};
            f.text = "ops.expand_dims(" + c.label(i) + ", " + std::to_string(at) + "), which is " + to_string(widened);
            root_at_maker(c, i, f);
            fits.push_back(std::move(f));
            break;
        }
    }
}

// An image that goes into a matrix product without having been made a row.
void fit_flatten(const Case& c, std::vector<Fit>& fits) {
    if (!c.call.op || (c.call.op->id != op::matmul && c.call.op->id != op::dense)) return;
    const Shape& x = c.type(0).shape;
    if (x.rank() < 3 || x[0] == 0) return;
    const Shape flat{x[0], x.count() / x[0]};
    if (!with_shape(c, 0, flat)) return;
    Fit f;
    f.key = "fit_flatten";
    f.arguments = {{"fit_operand", c.label(0)}, {"fit_shape", to_string(flat)}};
    f.text = "ops.flatten(" + c.label(0) + "), which is " + to_string(flat);
    root_at_maker(c, 0, f);
    fits.push_back(std::move(f));
}

// Outside of ops: as many elements as are wanted, in another shape.
void fit_reshape(const Case& c, std::vector<Fit>& fits) {
    if (c.call.op || c.call.operands.size() != 2 || !fits.empty()) return;
    const Shape& wanted = c.type(0).shape;
    if (wanted.count() != c.type(1).shape.count()) return;
    Fit f;
    f.key = "fit_reshape";
    const std::string expression = c.label(1) + ".reshape(" + to_string(wanted) + ")";
    f.arguments = {{"fit_operand", c.label(1)}, {"fit_expression", expression}};
    f.text = expression;
    root_at_maker(c, 1, f);
    fits.push_back(std::move(f));
}

// The layer made for another number of inputs: nn.Dense(64, 10).
void fit_layer(const Case& c, std::vector<Fit>& fits) {
    if (!c.call.op || c.call.operands.size() < 2 || has(fits, "fit_channels_first") || has(fits, "fit_swap_weight"))
        return;
    const exec::Producer* weight = c.maker(1);
    if (!weight || weight->op || std::string_view(weight->data) != "Parameter") return;
    const bool convolution = c.call.op->id == op::conv2d;
    const bool transposed = c.call.op->id == op::dense || (c.call.op->id == op::matmul && c.call.attrs.boolean(1));
    if (!convolution && !transposed) return;
    std::string type = cell_of(c.call.scope).first;
    if (type.empty()) type = convolution ? "Conv2d" : "Dense";  // called outside of any Cell
    Shape wanted = c.type(1).shape;
    std::string call;
    if (transposed) {
        if (wanted.rank() != 2 || c.type(0).shape.rank() == 0) return;
        wanted[1] = c.type(0).shape[c.type(0).shape.size() - 1];
        call = std::to_string(wanted[1]) + ", " + std::to_string(wanted[0]);
    } else {
        if (wanted.rank() != 4 || c.type(0).shape.rank() != 4) return;
        const std::int64_t group = c.call.attrs.integer(4);
        if (group < 1 || c.type(0).shape[1] % group != 0) return;
        wanted[1] = c.type(0).shape[1] / group;
        call = std::to_string(c.type(0).shape[1]) + ", " + std::to_string(wanted[0]) + ", ...";
    }
    if (!with_shape(c, 1, wanted)) return;
    Fit f;
    f.key = "fit_layer";
    f.root_op = type;
    f.root_frame = weight->frame;
    f.arguments = {{"fit_layer", type}, {"fit_call", call}, {"fit_place", c.place(weight->frame)}};
    f.text = "nn." + type + "(" + call + ")" + called(c, weight->frame);
    fits.push_back(std::move(f));
}

}  // namespace fusescope::explain
