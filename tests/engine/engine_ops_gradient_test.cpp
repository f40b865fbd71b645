// Gradients of the op table against central differences in Float64.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>
#include <set>

#include "engine/autodiff/tape.hpp"
#include "engine/core/context.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

/// One call whose gradient is checked: shapes of float operands, filled from `low` to `high`, and whole operands given.
struct Sample {
    const char* op;
    std::vector<Shape> shapes;
    Attrs attrs{};
    double low = -2, high = 2;
    std::vector<Tensor> fixed{};  ///< operands after the float ones
    std::vector<Tensor> first{};  ///< operands before them
};

Tensor indices(const Shape& shape, std::vector<std::int64_t> values) {
    return Tensor::from_bytes(DType::Int64, shape, values.data());
}
Tensor truths(const Shape& shape, std::vector<std::uint8_t> values) {
    return Tensor::from_bytes(DType::Bool, shape, values.data());
}
AttrValue i64(std::int64_t v) { return v; }
AttrValue text(const char* s) { return std::string(s); }

std::vector<Sample> samples() {
    const Shape v{7}, m{3, 4}, row{4}, t{2, 3, 4};
    std::vector<Sample> s;
    for (const char* op :
         {"Abs",      "Neg",      "Exp",    "Expm1", "Exp2",  "Sin",      "Cos",        "Sinh",     "Cosh",
          "Tanh",     "Asinh",    "Atan",   "Erf",   "Erfc",  "Sigmoid",  "SiLU",       "Square",   "ReLU",
          "ReLU6",    "HSigmoid", "HSwish", "SeLU",  "Mish",  "Softsign", "LogSigmoid", "Identity", "TensorCopy",
          "NanToNum", "Sign",     "Floor",  "Ceil",  "Trunc", "Cbrt"}) {
        s.push_back({op, {v}});
    }
    for (const char* op : {"Log", "Log1p", "Log2", "Log10", "Sqrt", "Rsqrt", "Reciprocal"})
        s.push_back({op, {v}, {}, 0.3, 3});
    for (const char* op : {"Asin", "ACos", "Atanh"}) s.push_back({op, {v}, {}, -0.8, 0.8});
    s.push_back({"Tan", {v}, {}, -1, 1});
    s.push_back({"Acosh", {v}, {}, 1.3, 4});
    s.push_back({"GeLU", {v}, {text("none")}});
    s.push_back({"GeLU", {v}, {text("tanh")}});
    s.push_back({"Round", {v}, {i64(0)}});
    s.push_back({"Softplus", {v}, {2.0, 20.0}});
    s.push_back({"HardTanh", {v}, {-1.0, 1.0}});
    s.push_back({"LeakyReLU", {v}, {0.1}});
    s.push_back({"Elu", {v}, {0.7}});
    s.push_back({"Threshold", {v}, {0.5, -2.0}});
    s.push_back({"HShrink", {v}, {0.5}});
    s.push_back({"SoftShrink", {v}, {0.5}});
    s.push_back({"Cast", {v}, {DType::Float64}});
    for (const char* op :
         {"Add", "Sub", "Mul", "Maximum", "Minimum", "SquaredDifference", "Hypot", "LogAddExp", "Atan2"}) {
        s.push_back({op, {m, row}});
        s.push_back({op, {m, m}});
    }
    for (const char* op : {"Div", "Pow", "Xlogy", "FloorMod", "Fmod"}) s.push_back({op, {m, row}, {}, 0.5, 3});
    for (const char* op : {"FloorDiv", "TruncateDiv"}) s.push_back({op, {m, row}, {}, 0.5, 3});
    s.push_back({"Lerp", {m, m, row}});
    s.push_back({"Addcmul", {m, row, m}, {0.3}});
    s.push_back({"Addcdiv", {m, row, m}, {0.3}, 0.5, 3});
    s.push_back({"Clamp", {m, {}, row}, {}, -1, 1});
    s.push_back({"Select", {m, m}, {}, -2, 2, {}, {truths(row, {1, 0, 0, 1})}});
    // Shapes.
    s.push_back({"Reshape", {m}, {Ints{2, 6}}});
    s.push_back({"Squeeze", {{1, 3, 1}}, {AttrValue{}}});
    s.push_back({"ExpandDims", {m}, {i64(1)}});
    s.push_back({"Flatten", {t}, {i64(1), i64(-1)}});
    s.push_back({"Ravel", {t}});
    s.push_back({"SwapAxes", {t}, {i64(0), i64(2)}});
    s.push_back({"Transpose", {t}, {Ints{2, 0, 1}}});
    s.push_back({"BroadcastTo", {{3, 1}}, {Ints{2, 3, 4}}});
    s.push_back({"Concat", {{2, 3}, {1, 3}, {4, 3}}, {i64(0)}});
    s.push_back({"Concat", {{2, 3}, {2, 1}}, {i64(-1)}});
    s.push_back({"Stack", {m, m}, {i64(1)}});
    s.push_back({"Split", {{5, 3}}, {Ints{2}, i64(0)}});
    s.push_back({"Split", {{3, 5}}, {Ints{1, 4}, i64(1)}});
    s.push_back({"Chunk", {{5, 3}}, {i64(2), i64(0)}});
    s.push_back({"Unstack", {m}, {i64(1)}});
    s.push_back({"StridedSlice", {t}, {Ints{0, 2, 3}, Ints{2, -4, 0}, Ints{1, -1, -2}}});
    s.push_back({"SliceUpdate", {m, {2, 1}}, {Ints{0, 1}, Ints{3, 4}, Ints{2, 1}}});
    s.push_back({"ReverseV2", {t}, {Ints{0, 2}}});
    s.push_back({"Roll", {t}, {Ints{1, -2}, Ints{0, 2}}});
    s.push_back({"Roll", {t}, {Ints{5}, AttrValue{}}});
    s.push_back({"Tile", {m}, {Ints{2, 1, 3}}});
    s.push_back({"RepeatInterleave", {m}, {i64(3), i64(0)}});
    s.push_back({"RepeatInterleave", {m}, {i64(2), AttrValue{}}});
    s.push_back({"Pad", {m}, {Ints{1, 2, 0, 3}, text("constant"), 0.5}});
    s.push_back({"Tril", {t}, {i64(-1)}});
    s.push_back({"Triu", {t}, {i64(1)}});
    s.push_back({"Diagonal", {t}, {i64(1), i64(1), i64(2)}});
    s.push_back({"DiagonalScatter", {m, {3}}, {i64(1), i64(0), i64(1)}});
    s.push_back({"Diag", {v}});
    s.push_back({"Diag", {m}});
    s.push_back({"Meshgrid", {v, row}, {text("xy")}});
    // Indexing.
    s.push_back({"Gather", {t}, {i64(1)}, -2, 2, {indices({2, 2}, {0, 2, -1, 0})}});
    s.push_back({"IndexSelect", {t}, {i64(2)}, -2, 2, {indices({3}, {1, 1, 0})}});
    s.push_back({"Take", {t}, {AttrValue{}}, -2, 2, {indices({3}, {11, 1, 11})}});
    s.push_back({"GatherD", {m}, {i64(1)}, -2, 2, {indices({3, 2}, {0, 0, 3, 1, 2, -1})}});
    s.push_back({"GatherNd", {t}, {}, -2, 2, {indices({2, 2}, {0, 2, 1, 0})}});
    s.push_back({"MaskedSelect", {m}, {}, -2, 2, {truths(row, {1, 0, 0, 1})}});
    s.push_back({"Sort", {m}, {i64(0), true}});
    s.push_back({"TopK", {m}, {i64(2), i64(1), true, true}});
    s.push_back({"CumSum", {m}, {i64(0), false, false}});
    s.push_back({"CumSum", {m}, {i64(1), true, true}});
    s.push_back({"CumProd", {m}, {i64(1), false, false}});
    s.push_back({"CumProd", {m}, {i64(0), true, true}});
    // Reductions.
    for (const char* op : {"ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd", "LogSumExp"}) {
        s.push_back({op, {t}, {AttrValue{}, false}});
        s.push_back({op, {t}, {Ints{0, 2}, true}});
        s.push_back({op, {t}, {Ints{-1}, false}});
    }
    for (const char* op : {"ReduceVar", "ReduceStd"}) {
        s.push_back({op, {t}, {AttrValue{}, i64(0), false}});
        s.push_back({op, {t}, {Ints{1}, i64(1), true}});
    }
    for (const char* op : {"ArgMaxWithValue", "ArgMinWithValue"}) {
        s.push_back({op, {t}, {i64(1), false}});
        s.push_back({op, {t}, {AttrValue{}, true}});
    }
    for (double order : {1.0, 2.0, 3.0, std::numeric_limits<double>::infinity()}) {
        s.push_back({"LpNorm", {t}, {order, Ints{1}, false}});
    }
    return s;
}

std::vector<Tensor> operands_of(const Sample& s, std::span<const std::vector<double>> values) {
    std::vector<Tensor> in = s.first;
    for (std::size_t i = 0; i < s.shapes.size(); ++i) {
        in.push_back(Tensor::from_bytes(DType::Float64, s.shapes[i], values[i].data()));
    }
    in.insert(in.end(), s.fixed.begin(), s.fixed.end());
    return in;
}

/// A sum of all float results with weights that tell elements apart.
double weighted(const std::vector<Tensor>& out, std::vector<Tensor>* seeds) {
    double total = 0;
    for (const Tensor& t : out) {
        std::vector<double> w(static_cast<std::size_t>(t.count()));
        for (std::size_t i = 0; i < w.size(); ++i) w[i] = 0.5 + 0.25 * static_cast<double>((i * 7) % 5);
        if (t.dtype() != DType::Float64) {
            if (seeds) seeds->push_back({});
            continue;
        }
        for (std::size_t i = 0; i < w.size(); ++i) total += w[i] * t.data_as<double>()[i];
        if (seeds) seeds->push_back(Tensor::from_bytes(DType::Float64, t.shape(), w.data()));
    }
    return total;
}

void check(Sample s, std::mt19937& random) {
    const OpDef* op = OpTable::get().find(s.op);
    ASSERT_NE(op, nullptr) << s.op;
    ASSERT_NE(op->grad, kNoGradient) << s.op;
    if (s.attrs.size() == 0) s.attrs = op->defaults();
    std::vector<std::vector<double>> values;
    std::uniform_real_distribution<double> range(s.low, s.high);
    for (const Shape& shape : s.shapes) {
        std::vector<double> v(static_cast<std::size_t>(shape.count()));
        for (double& x : v) {
            // Away from the corners that many functions have at multiples of a half.
            do x = range(random);
            while (std::fabs(x * 2 - std::rint(x * 2)) < 0.02);
        }
        values.push_back(std::move(v));
    }
    Context context;
    Context* before = Context::set_current(&context);
    std::vector<Tensor> in = operands_of(s, values);
    std::vector<Tensor> wrt(in.begin() + static_cast<std::ptrdiff_t>(s.first.size()),
                            in.begin() + static_cast<std::ptrdiff_t>(s.first.size() + s.shapes.size()));
    autodiff::Tape tape(context);
    for (const Tensor& t : wrt) tape.watch(t);
    const std::vector<Tensor> out = apply(*op, in, s.attrs);
    std::vector<Tensor> seeds;
    weighted(out, &seeds);
    const std::vector<Tensor> grads = tape.gradient(out, seeds, wrt);
    for (std::size_t i = 0; i < values.size(); ++i) {
        ASSERT_EQ(grads[i].shape(), s.shapes[i]) << s.op;
        ASSERT_EQ(grads[i].dtype(), DType::Float64) << s.op;
        for (std::size_t k = 0; k < values[i].size(); ++k) {
            constexpr double h = 1e-6;
            const double x = values[i][k];
            values[i][k] = x + h;
            const double above = weighted(apply(*op, operands_of(s, values), s.attrs), nullptr);
            values[i][k] = x - h;
            const double below = weighted(apply(*op, operands_of(s, values), s.attrs), nullptr);
            values[i][k] = x;
            const double want = (above - below) / (2 * h);
            const double got = grads[i].data_as<double>()[k];
            EXPECT_NEAR(got, want, 2e-6 * (1 + std::fabs(want)))
                << s.op << ": operand " << i << ", element " << k << ", at " << x;
        }
    }
    Context::set_current(before);
}

TEST(OpGradients, AgreeWithDifferences) {
    std::mt19937 random(5);
    std::set<std::string> covered;
    for (const Sample& s : samples()) {
        SCOPED_TRACE(s.op);
        check(s, random);
        covered.insert(s.op);
        if (HasFatalFailure()) return;
    }
    EXPECT_GE(covered.size(), 100u);
    // Rows of this suite's groups that have a gradient and no sample, each with its reason.
    const std::set<std::string> elsewhere = {"Dropout",   // random: see engine_ops_random_test
                                             "IndexAdd",  // linear in both operands: samples below
                                             "TensorScatterElements",
                                             "TensorScatterUpdate",
                                             "TensorScatterAdd",
                                             "MaskedFill"};
    int missing = 0;
    for (const OpDef& op : OpTable::get().rows()) {
        if (op.grad == kNoGradient || covered.contains(op.name()) || elsewhere.contains(op.name())) continue;
        ++missing;
    }
    // What is left belongs to matrices, convolution, normalization and losses (engine_nn_*).
    EXPECT_LE(missing, 40);
}

TEST(OpGradients, OfScattersGoToBothOperands) {
    std::mt19937 random(6);
    // Operands: tensor, indices, updates. The indices stand between, so each side is checked with the other fixed.
    const Shape m{3, 4};
    std::vector<double> base(12, 0.25), updates(8, 0.5);
    const Tensor tensor = Tensor::from_bytes(DType::Float64, m, base.data());
    const Tensor rows = Tensor::from_bytes(DType::Float64, Shape{2, 4}, updates.data());
    const Tensor at = indices({2}, {2, 0}), nd = indices({2, 1}, {2, 0}),
                 along = indices({2, 4}, {0, 1, 2, 0, 1, 2, 0, 1});
    const auto axis = AttrValue{std::int64_t{0}};
    check({"IndexAdd", {m}, {axis}, -2, 2, {at, rows}}, random);
    check({"IndexAdd", {{2, 4}}, {axis}, -2, 2, {}, {tensor, at}}, random);
    for (const char* op : {"TensorScatterUpdate", "TensorScatterAdd"}) {
        check({op, {m}, {}, -2, 2, {nd, rows}}, random);
        check({op, {{2, 4}}, {}, -2, 2, {}, {tensor, nd}}, random);
    }
    for (const char* reduction : {"none", "add"}) {
        check({"TensorScatterElements", {m}, {axis, text(reduction)}, -2, 2, {along, rows}}, random);
        check({"TensorScatterElements", {{2, 4}}, {axis, text(reduction)}, -2, 2, {}, {tensor, along}}, random);
    }
    const Tensor mask = truths({4}, {1, 0, 1, 0});
    check({"MaskedFill", {m}, {}, -2, 2, {mask, Tensor::scalar(0.5, DType::Float64)}}, random);
    check({"MaskedFill", {{}}, {}, -2, 2, {}, {tensor, mask}}, random);
}

TEST(OpGradients, AreZeroAtTheCornersThatConventionNames) {
    Context context;
    Context* before = Context::set_current(&context);
    const double zeros[3] = {};
    for (const char* name : {"ReLU", "Abs", "LpNorm", "ReduceStd"}) {
        const Tensor x = Tensor::from_bytes(DType::Float64, Shape{3}, zeros);
        const OpDef& op = *OpTable::get().find(name);
        autodiff::Tape tape(context);
        tape.watch(x);
        const Tensor y = apply1(op, {&x, 1}, op.defaults());
        const Tensor g = tape.gradient({&y, 1}, {}, {&x, 1})[0];
        for (int k = 0; k < 3; ++k) EXPECT_EQ(g.data_as<double>()[k], 0) << name;
    }
    Context::set_current(before);
}

TEST(OpGradients, OfProductsSurviveZeros) {
    Context context;
    Context* before = Context::set_current(&context);
    const double values[3] = {2, 0, 5};
    const Tensor x = Tensor::from_bytes(DType::Float64, Shape{3}, values);
    autodiff::Tape tape(context);
    tape.watch(x);
    const Tensor y = apply1(*OpTable::get().find("ReduceProd"), {&x, 1}, {AttrValue{}, false});
    const Tensor g = tape.gradient({&y, 1}, {}, {&x, 1})[0];
    EXPECT_EQ(g.data_as<double>()[0], 0);
    EXPECT_EQ(g.data_as<double>()[1], 10);
    EXPECT_EQ(g.data_as<double>()[2], 0);
    Context::set_current(before);
}

}  // namespace
}  // namespace fusescope
