#include "engine/debug/explain/explanation.hpp"

#include <algorithm>

#include "engine/core/context.hpp"
#include "engine/exec/dispatch.hpp"
#include "engine/ops/op_ids.hpp"

namespace fusescope::explain {
namespace {

bool is(const exec::Producer& p, OpId op) { return p.op && p.op->id == op; }

// "of (2, 3) along axis 1"
std::string made_of(const exec::Producer& p) {
    std::string text;
    if (p.operand_count > 0 && p.operands[0].present) text = " of " + to_string(p.operands[0].type.shape);
    if (!p.op || !p.op->schema.traits.reduction) return text;
    const int axis = p.op->attribute("axis");
    const Ints* axes = axis < 0 ? nullptr : std::get_if<Ints>(&p.attrs[static_cast<std::size_t>(axis)]);
    if (!axes || axes->empty()) return text + " over all axes";
    return text + (axes->size() == 1 ? " over axis " + std::to_string((*axes)[0]) : " over axes " + to_string(*axes));
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

FindingKind kind_of(ErrorKind kind) {
    return kind == ErrorKind::shape   ? FindingKind::shape
           : kind == ErrorKind::dtype ? FindingKind::dtype
           : kind == ErrorKind::index ? FindingKind::index
                                      : FindingKind::suspicious;
}

std::vector<Fit> fits_for(const Case& c) {
    std::vector<Fit> fits;
    if (c.error.kind() == ErrorKind::dtype) fit_cast(c, fits);
    if (c.error.kind() != ErrorKind::shape) return fits;
    for (auto* one : {fit_keep_dims, fit_layout, fit_pad_mode, fit_transpose, fit_swap_operands, fit_flatten,
                      fit_expand_dims, fit_layer, fit_reshape}) {
        one(c, fits);
    }
    return fits;
}

// The lines that an explanation adds below what the op says itself.
void add_clash(const Case& c, Explanation& e) {
    if (c.error.kind() == ErrorKind::index && !c.call.op) return;
    const Clash clash = c.error.kind() == ErrorKind::dtype ? dtype_clash(c) : shape_clash(c);
    e.text += "\n" + clash.text;
    if (!e.text.empty() && e.text.back() == '\n') e.text.pop_back();
    e.finding.arguments.emplace_back("aligned", clash.text);
    e.finding.arguments.insert(e.finding.arguments.end(), clash.arguments.begin(), clash.arguments.end());
}

void add_fits(const Case& c, Explanation& e) {
    constexpr std::size_t kMost = 3;
    const std::vector<Fit> fits = fits_for(c);
    if (fits.empty()) {
        if (!c.error.advice().empty()) e.text += "\ntry: " + c.error.advice();
        e.finding.advice = c.error.advice();
        return;
    }
    std::string all;
    for (std::size_t i = 0; i < std::min(fits.size(), kMost); ++i) {
        e.text += std::string("\n") + (i == 0 ? "try: " : "  or: ") + fits[i].text;
        all += (i == 0 ? "" : "; or ") + fits[i].text;
    }
    e.finding.advice = all;
    e.finding.arguments.emplace_back("fit", fits[0].key);
    e.finding.arguments.insert(e.finding.arguments.end(), fits[0].arguments.begin(), fits[0].arguments.end());
    e.finding.root_op = fits[0].root_op;
    e.finding.root_frame = fits[0].root_frame;
}

}  // namespace

std::pair<std::string, std::string> cell_of(ScopeId scope) {
    const std::string path = scope_path(scope);
    const std::string last = path.substr(path.rfind('/') + 1);
    const std::size_t dash = last.rfind('-');
    if (dash == std::string::npos) return {};
    return {last.substr(dash + 1), last.substr(0, dash)};
}

std::string Case::label(std::size_t operand) const {
    const exec::FailedCall::Operand& o = call.operands[operand];
    std::string name;
    if (words.name_of) {
        if (o.tensor.defined()) name = words.name_of(o.tensor.impl());
        const exec::Producer* p = producer(o.made_by);
        if (name.empty() && p && is(*p, op::cast) && p->frame == call.frame) {
            name = words.name_of(p->operands[0].identity);
        }
    }
    if (!o.name.empty() && (name.empty() || o.name.find('.') != std::string::npos)) return o.name;
    if (!name.empty() || !call.op) return name;
    const auto& schema = call.op->schema.operands;
    const Operand& declared = schema[std::min(operand, schema.size() - 1)];
    if (declared.kind != OperandKind::list) return declared.name;
    return declared.name + "[" + std::to_string(operand + 1 - schema.size()) + "]";
}

std::string Case::place(FrameId frame) const {
    if (frame == 0) return {};
    if (frame == call.frame) return "this line";
    return words.place_of ? words.place_of(frame) : std::string();
}

const exec::Producer* Case::maker(std::size_t operand) const {
    const exec::Producer* p = producer(call.operands[operand].made_by);
    while (p && is(*p, op::cast) && p->frame == call.frame) p = producer(p->operands[0].made_by);
    return p;
}

std::string Case::origin(std::size_t operand) const {
    const exec::FailedCall::Operand& o = call.operands[operand];
    std::string what = o.origin_op;
    FrameId frame = o.origin_frame;
    if (const exec::Producer* p = maker(operand)) {
        what = p->op ? p->op->name() + made_of(*p) : p->data;
        frame = p->frame;
    }
    const std::string where = place(frame);
    return what.empty() ? where : where.empty() ? what : what + ", " + where;
}

std::vector<TensorType> Case::types() const {
    std::vector<TensorType> all;
    for (const auto& o : call.operands) all.push_back(o.type);
    return all;
}

bool Case::accepts(const std::vector<TensorType>& types, const Attrs& attrs) const {
    if (!call.op) return false;
    const auto& schema = call.op->schema.operands;
    std::unique_ptr<bool[]> present(new bool[types.size()]);
    for (std::size_t i = 0; i < types.size(); ++i) {
        present[i] = call.operands[i].present;
        const Operand& declared = schema[std::min(i, schema.size() - 1)];
        if (present[i] && !exec::accepts(declared.accept, types[i].dtype)) return false;
    }
    std::vector<TensorType> results;
    InferContext infer{*call.op, types, {present.get(), types.size()}, attrs, results};
    try {
        call.op->infer(infer);
    } catch (const UserError&) {
        return false;
    }
    return true;
}

Explanation explain(const UserError& error, const exec::Producers* producers, const Words& words) {
    Explanation e;
    Finding& f = e.finding;
    f.kind = kind_of(error.kind());
    f.severity = Severity::error;
    f.op = error.op();
    f.rule = error.kind() == ErrorKind::shape   ? "shape_clash"
             : error.kind() == ErrorKind::dtype ? "dtype_clash"
                                                : "index_out_of_range";
    f.shapes = error.shapes();
    f.advice = error.advice();
    f.frame = error.frame();
    e.text = error.what();
    const auto* failed = dynamic_cast<const exec::OpError*>(&error);
    if (failed) f.index = failed->index();
    f.has_index = !f.index.empty();
    if (failed && f.kind != FindingKind::suspicious) {
        const Case c{error, failed->call(), producers, words};
        f.shapes.clear();
        for (const auto& o : c.call.operands) {
            if (o.present) f.shapes.push_back(to_string(o.type.shape));
        }
        if (!f.frame) f.frame = c.call.frame;
        e.text = first_line(error.what());
        f.arguments.emplace_back("said", e.text);
        add_clash(c, e);
        if (const auto [type, name] = cell_of(c.call.scope); !name.empty()) {
            e.text += "\nin cell " + name + " (" + scope_path(c.call.scope) + ")";
            f.arguments.emplace_back("cell", name);
        }
        add_fits(c, e);
    } else if (!error.advice().empty() && e.text.find(error.advice()) == std::string::npos) {
        e.text += "\ntry: " + error.advice();
    }
    f.message = e.text;
    return e;
}

void report(Context& context, const Explanation& e) {
    if (!context.recorder || e.finding.kind == FindingKind::suspicious) return;
    Finding f = e.finding;
    f.phase = context.phase;
    if (!f.frame) f.frame = context.frame();
    f.step = context.step;
    context.recorder->finding(f);
}

}  // namespace fusescope::explain
