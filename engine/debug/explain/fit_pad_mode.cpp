// A layer that was sized for a convolution with other padding: nn.Conv2d pads by default, and a net written for one
// that does not fails at its first Dense. The convolutions before the operand are computed anew with the other padding.
#include <algorithm>

#include "engine/debug/explain/explanation.hpp"
#include "engine/ops/op_ids.hpp"

namespace fusescope::explain {
namespace {

constexpr std::size_t kLongest = 64;

bool padded(const exec::Producer& p) { return p.op->id == op::conv2d; }

// What made the operand, back through first operands to the first convolution.
std::vector<const exec::Producer*> chain_to_convolution(const Case& c) {
    std::vector<const exec::Producer*> chain;
    std::size_t last = 0;
    for (const exec::Producer* p = c.maker(0); p && p->op && chain.size() < kLongest;) {
        chain.push_back(p);
        if (padded(*p)) last = chain.size();
        p = p->operand_count > 0 ? c.producer(p->operands[0].made_by) : nullptr;
    }
    chain.resize(last);
    std::reverse(chain.begin(), chain.end());
    return chain;
}

// The type of the chain's result when its convolutions in `changed` pad otherwise; false when something does not fit.
bool result_of(const std::vector<const exec::Producer*>& chain, const std::vector<bool>& changed, const char* mode,
               TensorType& type) {
    type = chain[0]->operands[0].type;
    for (std::size_t i = 0; i < chain.size(); ++i) {
        const exec::Producer& p = *chain[i];
        if (p.operand_count > exec::Producer::kOperands) return false;
        TensorType in[exec::Producer::kOperands];
        bool present[exec::Producer::kOperands];
        for (std::size_t k = 0; k < p.operand_count; ++k) {
            present[k] = p.operands[k].present;
            in[k] = p.operands[k].type;
        }
        in[0] = type;
        Attrs attrs = p.attrs;
        if (changed[i]) attrs[static_cast<std::size_t>(p.op->attribute("pad_mode"))] = std::string(mode);
        // A reshape to rows keeps the first extent, whatever the others were.
        if (p.op->id == op::reshape && type.shape.count() != p.operands[0].type.shape.count()) {
            const Ints& to = attrs.ints(0);
            if (to.size() != 2 || type.shape.rank() < 2 || type.shape[0] == 0) return false;
            attrs[0] = Ints{type.shape[0], type.shape.count() / type.shape[0]};
        }
        std::vector<TensorType> results;
        InferContext infer{*p.op, {in, p.operand_count}, {present, p.operand_count}, attrs, results};
        try {
            p.op->infer(infer);
        } catch (const UserError&) {
            return false;
        }
        type = results[0];
    }
    return true;
}

}  // namespace

void fit_pad_mode(const Case& c, std::vector<Fit>& fits) {
    if (!c.call.op || (c.call.op->id != op::matmul && c.call.op->id != op::dense)) return;
    const std::vector<const exec::Producer*> chain = chain_to_convolution(c);
    if (chain.empty()) return;
    std::vector<std::vector<bool>> tries;  // each convolution alone, then all
    std::vector<bool> all(chain.size());
    for (std::size_t i = 0; i < chain.size(); ++i) {
        if (!padded(*chain[i])) continue;
        std::vector<bool> one(chain.size());
        one[i] = all[i] = true;
        tries.push_back(std::move(one));
    }
    if (tries.size() > 1) tries.push_back(all);
    for (const std::vector<bool>& changed : tries) {
        for (const char* mode : {"valid", "same"}) {
            TensorType type;
            if (!result_of(chain, changed, mode, type) || type.shape == c.type(0).shape) continue;
            std::vector<TensorType> types = c.types();
            types[0] = type;
            if (!c.accepts(types, c.call.attrs)) continue;
            const auto first =
                static_cast<std::size_t>(std::find(changed.begin(), changed.end(), true) - changed.begin());
            const exec::Producer& conv = *chain[first];
            const exec::Producer* weight = c.producer(conv.operands[1].made_by);
            const auto [layer, name] = cell_of(conv.scope);
            Fit f;
            f.key = "fit_pad_mode";
            f.root_op = layer.empty() ? conv.op->name() : layer;
            f.root_frame = weight && !weight->op ? weight->frame : conv.frame;
            const bool several = std::count(changed.begin(), changed.end(), true) > 1;
            const std::string place = c.place(f.root_frame);
            f.arguments = {{"fit_operand", c.label(0)},
                           {"fit_mode", mode},
                           {"fit_op", f.root_op},
                           {"fit_place", place},
                           {"fit_shape", to_string(type.shape)}};
            f.text = "pad_mode='" + std::string(mode) + "' in " +
                     (several ? "each " + f.root_op : "the " + f.root_op + (place.empty() ? "" : " of " + place)) +
                     ": " + c.label(0) + " is then " + to_string(type.shape);
            fits.push_back(std::move(f));
            return;
        }
    }
}

}  // namespace fusescope::explain
