// Generated kernels give the very bits of the eager loops: each elementwise op alone, random expressions over dtypes,
// shapes and broadcasts, reductions at the end, several bodies in one kernel.
#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "engine/exec/executable.hpp"
#include "engine/exec/kernel_factory.hpp"
#include "engine/ir/printer.hpp"
#include "fusescope/error.hpp"
#include "tests/engine/exec_support.hpp"

namespace fusescope {
namespace {

using namespace testing;
using exec::Executable;
using Tensors = std::span<const Tensor>;
using Random = std::mt19937;

std::shared_ptr<exec::FusedKernelFactory> factory() { return std::make_shared<exec::KernelFactory>(); }

std::int64_t below(Random& r, std::int64_t n) { return static_cast<std::int64_t>(r() % static_cast<std::uint32_t>(n)); }

// Values of all kinds: small and large, both zeros, infinities, NaN, the ends of the int ranges.
Tensor random_tensor(Random& r, DType dtype, const Shape& shape) {
    Tensor t = Tensor::empty(dtype, shape);
    for (std::int64_t i = 0; i < t.count(); ++i) {
        const std::int64_t kind = below(r, 20);
        if (is_float(dtype)) {
            const double special[] = {0.0, -0.0, INFINITY, -INFINITY, NAN, 1.0, -1.0, 0.5, 1e-40, 65504.0};
            const double plain = std::normal_distribution<double>(0, 3)(r);
            store_double(dtype, t.impl()->raw(), i, kind < 3 ? special[below(r, 10)] : kind == 3 ? plain * 1e6 : plain);
        } else if (dtype == DType::Bool) {
            store_int(dtype, t.impl()->raw(), i, kind & 1);
        } else {
            const auto wild = static_cast<std::int64_t>((static_cast<std::uint64_t>(r()) << 32) | r());
            const std::int64_t special[] = {
                0, 1, -1, -128, 127, std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int32_t>::min(),
                7};
            store_int(dtype, t.impl()->raw(), i, kind < 4 ? special[below(r, 8)] : kind < 8 ? wild : below(r, 9) - 4);
        }
    }
    return t;
}

// A cast that rounds once from a type wider than Float32 to Float16 is left to the eager loop.
bool rounds_once(const ir::Graph& region) {
    return std::none_of(region.nodes.begin(), region.nodes.end(), [](const ir::NodePtr& n) {
        if (n->kind != ir::NodeKind::op || n->op->name() != "Cast") return false;
        const DType from = n->inputs[0].type().dtype, to = n->types[0].dtype;
        const bool wide = from == DType::Int32 || from == DType::Int64 || from == DType::Float64;
        return wide && to == DType::Float16;
    });
}

using Recipe = std::function<std::vector<Tensor>(Tensors)>;

// Runs the recipe eagerly, generated, and member by member, and compares all bits.
// Returns whether it was generated; `must` says that it has to be.
bool check(const Recipe& recipe, const std::vector<Tensor>& inputs, const std::string& what, bool must = true) {
    const std::vector<Tensor> eager = recipe(inputs);
    std::vector<TensorType> types;
    for (const Tensor& t : inputs) types.push_back(t.type());
    const ir::GraphPtr region = graph_of(types, recipe);
    const ir::GraphPtr graph = fused_graph({region}, "elementwise");
    Executable generated(graph, factory(), 1), members(graph, nullptr, 2);
    if (must && rounds_once(*region)) {
        EXPECT_EQ(generated.generated(), 1) << what << ": it was not generated\n" << ir::print(*graph);
    }
    const std::vector<Tensor> a = generated.run(Context::current(), inputs);
    const std::vector<Tensor> b = members.run(Context::current(), inputs);
    EXPECT_EQ(a.size(), eager.size());
    for (std::size_t k = 0; k < eager.size(); ++k) {
        EXPECT_EQ(difference(a[k], eager[k]), "") << what << ", output " << k << ", generated against eager\n"
                                                  << ir::print(*graph);
        EXPECT_EQ(difference(b[k], eager[k]), "") << what << ", output " << k << ", members against eager";
    }
    return generated.generated() == 1;
}

const std::vector<DType>& dtypes() {
    static const std::vector<DType> all = [] {
        std::vector<DType> list;
        for (int k = 0; k < kDTypeCount; ++k) list.push_back(static_cast<DType>(k));
        return list;
    }();
    return all;
}

std::vector<const OpDef*> elementwise_ops() {
    std::vector<const OpDef*> list;
    for (const OpDef& op : OpTable::get().rows()) {
        if (op.elementwise()) list.push_back(&op);
    }
    return list;
}

// Attributes for a call: defaults, a dtype where one is demanded. Empty when another one is demanded.
std::optional<Attrs> attributes_for(const OpDef& op, DType dtype) {
    Attrs attrs;
    for (const AttrSpec& spec : op.schema.attributes) {
        if (spec.type == AttrType::dtype && spec.required) {
            attrs.push_back(dtype);
        } else if (spec.required) {
            return std::nullopt;
        } else {
            attrs.push_back(spec.default_value);
        }
    }
    return attrs;
}

bool is_mask(const OpDef& op, std::size_t i) { return op.schema.operands[i].accept == Accept::boolean; }

TEST(Codegen, EachElementwiseOpEqualsEager) {
    Random r(1);
    int checked = 0, ops = 0;
    for (const OpDef* op : elementwise_ops()) {
        int here = 0;
        for (DType dtype : dtypes()) {
            const std::optional<Attrs> attrs =
                attributes_for(*op, dtypes()[static_cast<std::size_t>(below(r, kDTypeCount))]);
            if (!attrs) continue;
            std::vector<Tensor> inputs;
            for (std::size_t i = 0; i < op->schema.operands.size(); ++i) {
                inputs.push_back(random_tensor(r, is_mask(*op, i) ? DType::Bool : dtype, {263}));
            }
            try {
                (void)apply(*op, inputs, *attrs);
            } catch (const UserError&) {
                continue;  // not for this dtype
            }
            check([&](Tensors x) { return apply(*op, x, *attrs); }, inputs,
                  op->name() + " of " + std::string(name_of(dtype)));
            ++here;
            if (HasFailure()) return;
        }
        checked += here;
        ops += here > 0;
    }
    EXPECT_GE(ops, 60);
    EXPECT_GE(checked, 300);
}

// From every dtype to every dtype.
TEST(Codegen, CastsEqualEager) {
    Random r(2);
    for (DType from : dtypes()) {
        const std::vector<Tensor> in = {random_tensor(r, from, {515})};
        check(
            [&](Tensors x) {
                std::vector<Tensor> out;
                for (DType to : dtypes()) {
                    if (to != from) out.push_back(Op("Cast").one({x[0]}, {to}));
                }
                return out;
            },
            in, "casts of " + std::string(name_of(from)));
    }
}

Shape random_shape(Random& r) {
    const std::vector<Shape> shapes = {{},       {1},     {7},       {64},         {1000}, {5, 3},
                                       {33, 17}, {8, 64}, {3, 1, 9}, {2, 3, 4, 5}, {4097}, {3, 5000}};
    return shapes[static_cast<std::size_t>(below(r, static_cast<std::int64_t>(shapes.size())))];
}

// A shape that broadcasts to `full`.
Shape narrower(Random& r, const Shape& full) {
    Shape s;
    const auto drop = static_cast<std::size_t>(below(r, 3) == 0 ? below(r, full.rank() + 1) : 0);
    for (std::size_t k = drop; k < full.size(); ++k) s.push_back(below(r, 3) == 0 ? 1 : full[k]);
    return s;
}

struct Case {
    std::vector<Tensor> inputs;
    std::uint32_t seed;
    int length;
    bool reduce;
    Shape full;
};

// The same seed makes the same ops for tensors of the same types, whether they are values or stand-ins.
std::vector<Tensor> random_program(const Case& c, Tensors inputs) {
    Random r(c.seed);
    static const std::vector<const OpDef*> ops = elementwise_ops();
    std::vector<Tensor> values(inputs.begin(), inputs.end());
    auto pick = [&](bool mask) -> Tensor {
        for (int tries = 0; tries < 30; ++tries) {
            // Late values are likelier: chains, not bushes.
            const auto n = static_cast<std::int64_t>(values.size());
            const Tensor& t = values[static_cast<std::size_t>(std::max(below(r, n), below(r, n)))];
            if (mask == (t.dtype() == DType::Bool) || !mask) return t;
        }
        return {};
    };
    for (int made = 0, tries = 0; made < c.length && tries < c.length * 20; ++tries) {
        const OpDef& op = *ops[static_cast<std::size_t>(below(r, static_cast<std::int64_t>(ops.size())))];
        const auto attrs = attributes_for(op, dtypes()[static_cast<std::size_t>(below(r, kDTypeCount))]);
        if (!attrs) continue;
        std::vector<Tensor> operands;
        for (std::size_t i = 0; i < op.schema.operands.size(); ++i) operands.push_back(pick(is_mask(op, i)));
        if (std::any_of(operands.begin(), operands.end(), [](const Tensor& t) { return !t.defined(); })) continue;
        try {
            values.push_back(apply(op, operands, *attrs)[0]);
            ++made;
        } catch (const UserError&) {
        }
    }
    // Results: the last value spread over the full shape, and a few others that have it.
    std::vector<Tensor> outputs;
    for (std::size_t k = inputs.size(); k < values.size(); ++k) {
        if (values[k].shape() == c.full && (below(r, 5) == 0) && outputs.size() < 4) outputs.push_back(values[k]);
    }
    const Tensor last = Op("Mul").one({Op("Cast").one({values.back()}, {DType::Float32}), inputs[0]});
    if (!c.reduce || outputs.empty()) outputs.push_back(last);
    if (c.reduce) {
        const char* names[] = {"ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin"};
        const std::int64_t first = below(r, std::max(1, c.full.rank()));
        Ints axes;
        for (std::int64_t a = first; a < c.full.rank(); ++a) axes.push_back(a);
        const std::int64_t count = 1 + below(r, 2);
        for (std::int64_t k = 0; k < count; ++k) {
            const OpDef* op = OpTable::get().find(names[below(r, 4)]);
            if (op) outputs.push_back(apply1(*op, {&last, 1}, Attrs{axes, below(r, 2) == 1}));
        }
    }
    return outputs;
}

Case random_case(std::uint32_t seed, bool reduce) {
    Random r(seed * 2654435761u + 17);
    Case c;
    c.seed = seed;
    c.full = random_shape(r);
    if (reduce) {
        while (c.full.rank() == 0) c.full = random_shape(r);
    }
    c.length = static_cast<int>(2 + below(r, 29));
    c.reduce = reduce;
    const DType floats[] = {DType::Float32, DType::Float32, DType::Float64, DType::Float16, DType::BFloat16};
    c.inputs.push_back(random_tensor(r, floats[below(r, 5)], c.full));
    const std::int64_t more = 1 + below(r, 4);
    for (std::int64_t k = 0; k < more; ++k) {
        const DType d = below(r, 2) ? floats[below(r, 5)] : dtypes()[static_cast<std::size_t>(below(r, kDTypeCount))];
        c.inputs.push_back(random_tensor(r, d, narrower(r, c.full)));
    }
    return c;
}

TEST(Codegen, RandomExpressionsEqualEager) {
    for (std::uint32_t seed = 1; seed <= 120 && !HasFailure(); ++seed) {
        const Case c = random_case(seed, false);
        check([&](Tensors x) { return random_program(c, x); }, c.inputs,
              "seed " + std::to_string(seed) + " over " + to_string(c.full));
    }
}

TEST(Codegen, RandomExpressionsWithReductionsEqualEager) {
    // An operand that is broadcast inside the reduced axes makes a row that is not one run of memory: that is left to
    // the members.
    int generated = 0;
    for (std::uint32_t seed = 1; seed <= 80 && !HasFailure(); ++seed) {
        const Case c = random_case(seed, true);
        generated += check([&](Tensors x) { return random_program(c, x); }, c.inputs,
                           "seed " + std::to_string(seed) + " over " + to_string(c.full), false);
    }
    EXPECT_GE(generated, 50);
}

TEST(Codegen, ReducesRowsOfEveryLengthAsEager) {
    Random r(5);
    for (const char* name : {"ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin"}) {
        const OpDef* op = OpTable::get().find(name);
        if (!op) continue;
        for (DType dtype : {DType::Float32, DType::Float64, DType::Float16, DType::BFloat16}) {
            for (std::int64_t n : {1, 3, 8, 31, 32, 33, 100, 4095, 4096, 4097, 8192, 12345, 300000}) {
                const std::vector<Tensor> in = {random_tensor(r, dtype, {2, n}), random_tensor(r, dtype, {1})};
                check(
                    [&](Tensors x) {
                        const Tensor t = Op("Add").one({x[0], x[1]});
                        return std::vector<Tensor>{apply1(*op, {&t, 1}, Attrs{Ints{1}, false})};
                    },
                    in, std::string(name) + " of " + std::string(name_of(dtype)) + " rows of " + std::to_string(n));
                if (HasFailure()) return;
            }
        }
    }
}

TEST(Codegen, MeanSquaredErrorOverEverythingEqualsEager) {
    Random r(6);
    const std::vector<Tensor> in = {random_tensor(r, DType::Float32, {37, 1021}),
                                    random_tensor(r, DType::Float32, {37, 1021})};
    std::vector<Tensor> finite;
    for (const Tensor& t : in) {
        std::vector<float> v = values_of(t);
        for (float& x : v) x = std::isfinite(x) ? x : 1.0f;
        finite.push_back(Tensor::from_bytes(DType::Float32, t.shape(), v.data()));
    }
    check(
        [&](Tensors x) {
            const Tensor d = Op("Sub").one({x[0], x[1]});
            return std::vector<Tensor>{Op("ReduceMean").one({Op("Mul").one({d, d})}), d};
        },
        finite, "mse");
}

TEST(Codegen, SeveralBodiesInOneKernelEqualEager) {
    Random r(7);
    std::vector<ir::GraphPtr> regions;
    std::vector<Tensor> inputs, eager;
    for (const Shape& shape : {Shape{300, 40}, Shape{40}, Shape{1}, Shape{9, 1001}}) {
        auto recipe = [](Tensors x) {
            const Tensor m = Op("Add").one({Op("Mul").one({x[1], Tensor::scalar(0.9)}), x[2]});
            return std::vector<Tensor>{Op("Sub").one({x[0], Op("Mul").one({m, x[3]})}), m};
        };
        std::vector<Tensor> in;
        for (int k = 0; k < 3; ++k) in.push_back(random_tensor(r, DType::Float32, shape));
        in.push_back(floats({}, {0.01f}));
        std::vector<TensorType> types;
        for (const Tensor& t : in) types.push_back(t.type());
        regions.push_back(graph_of(types, recipe));
        for (const Tensor& t : recipe(in)) eager.push_back(t);
        inputs.insert(inputs.end(), in.begin(), in.end());
    }
    Executable e(fused_graph(regions, "multi"), factory(), 1);
    EXPECT_EQ(e.generated(), 1);
    const std::vector<Tensor> out = e.run(Context::current(), inputs);
    ASSERT_EQ(out.size(), eager.size());
    for (std::size_t k = 0; k < out.size(); ++k) EXPECT_EQ(difference(out[k], eager[k]), "") << k;
}

TEST(Codegen, WritesParametersInPlace) {
    Random r(8);
    const Tensor w = parameter("w", random_tensor(r, DType::Float32, {129, 7}));
    const Tensor g = random_tensor(r, DType::Float32, {129, 7});
    const std::vector<Tensor> both = {snapshot_tensor(w), g};
    auto recipe = [](Tensors x) {
        return std::vector<Tensor>{Op("Sub").one({x[0], Op("Mul").one({x[1], Tensor::scalar(0.1)})})};
    };
    const Tensor expected = recipe(both)[0];
    const Tensor copy = Tensor::from_bytes(DType::Float32, w.shape(), w.data());
    const TensorType type = w.type();
    Executable e(with_updates(fused_graph({graph_of({type, type}, recipe)}, "elementwise"), 1), factory(), 1);
    EXPECT_EQ(e.memory().updates_in_place, 1);
    e.run(Context::current(), std::vector<Tensor>{w, g});
    EXPECT_EQ(difference(w, expected), "");
    EXPECT_EQ(difference(both[0], copy), "");  // somebody looks at the old value: it was not overwritten
}

TEST(Codegen, ShowsItsCode) {
    const TensorType four{DType::Float32, {4}};
    const ir::GraphPtr graph = fused_graph({graph_of({four, four},
                                                     [](Tensors x) {
                                                         return std::vector<Tensor>{Op("Mul").one({x[0], x[1]})};
                                                     })},
                                           "elementwise");
    Executable e(graph, factory(), 1);
    const std::string ir = e.kernel_text(graph->nodes[0]->id, "llvm")();
    EXPECT_NE(ir.find("fmul <8 x float>"), std::string::npos) << ir;
    EXPECT_EQ(ir.find("fast"), std::string::npos);
    const std::string assembly = e.kernel_text(graph->nodes[0]->id, "asm")();
    EXPECT_NE(assembly.find("vmulps"), std::string::npos) << assembly;
    EXPECT_NE(assembly.find("ret"), std::string::npos) << assembly;
    EXPECT_FALSE(e.kernel_text(graph->nodes[0]->id, "ptx"));
}

// One module serves a graph; each kernel shows its own part of it, also one that was compiled for an earlier graph.
TEST(Codegen, KernelsShowTheirOwnCode) {
    const TensorType four{DType::Float32, {4}};
    const auto body = [&](const char* op) {
        return graph_of({four, four}, [op](Tensors x) { return std::vector<Tensor>{Op(op).one({x[0], x[1]})}; });
    };
    const ir::GraphPtr first = fused_graph({body("Div")}, "elementwise");
    Executable a(first, factory(), 1);
    const ir::GraphPtr second = fused_graph({body("Div"), body("Sub"), body("Div")}, "multi");
    Executable b(second, factory(), 2);
    const std::string one = a.kernel_text(first->nodes[0]->id, "llvm")();
    const std::string both = b.kernel_text(second->nodes[0]->id, "llvm")();
    EXPECT_NE(one.find("fdiv"), std::string::npos) << one;
    EXPECT_EQ(one.find("fsub"), std::string::npos) << one;
    EXPECT_NE(both.find("fdiv"), std::string::npos) << both;
    EXPECT_NE(both.find("fsub"), std::string::npos) << both;
    // Parts that compute the same share a function.
    std::size_t functions = 0;
    for (std::size_t at = both.find("define "); at != std::string::npos; at = both.find("define ", at + 1)) ++functions;
    EXPECT_EQ(functions, 2u) << both;
}

TEST(Codegen, LargeResultsPastTheCacheEqualEager) {
    Random r(9);
    const Shape big{(1 << 22) + 13};
    const std::vector<Tensor> in = {random_tensor(r, DType::Float32, {1 << 10}), floats(big, {1.5f})};
    const std::vector<Tensor> two = {floats(big, {0.25f}), in[1]};
    check(
        [](Tensors x) {
            return std::vector<Tensor>{Op("Mul").one(
                {Op("ReLU").one(
                     {Op("Sub").one({Op("Mul").one({Op("Add").one({x[0], x[1]}), Tensor::scalar(2)}), x[0]})}),
                 x[1]})};
        },
        two, "chain on 4 M floats");
}

}  // namespace
}  // namespace fusescope
