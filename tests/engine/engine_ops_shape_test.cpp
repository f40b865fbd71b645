// Ops that move elements: against plain index arithmetic and small examples, and the errors that name what clashes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "engine/core/broadcast.hpp"
#include "engine/core/convert.hpp"
#include "engine/ir/op_def.hpp"
#include "fusescope/error.hpp"

namespace fusescope {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const OpDef& row(const char* name) { return *OpTable::get().find(name); }

/// 0, 1, 2, … in a dtype.
Tensor counting(DType dtype, const Shape& shape) {
    std::vector<unsigned char> bytes(static_cast<std::size_t>(shape.count()) * size_of(dtype) + 8);
    for (std::int64_t i = 0; i < shape.count(); ++i) store_int(dtype, bytes.data(), i, i % 120);
    return Tensor::from_bytes(dtype, shape, bytes.data());
}
Tensor counting(const Shape& shape) { return counting(DType::Float32, shape); }
Tensor indices(const Shape& shape, std::vector<std::int64_t> v) {
    return Tensor::from_bytes(DType::Int64, shape, v.data());
}
Tensor floats(std::vector<float> v) {
    return Tensor::from_bytes(DType::Float32, Shape{static_cast<std::int64_t>(v.size())}, v.data());
}

std::vector<double> values(const Tensor& t) {
    std::vector<double> v;
    for (std::int64_t i = 0; i < t.count(); ++i) v.push_back(load_double(t.dtype(), t.data(), i));
    return v;
}
std::vector<double> run(const char* op, std::vector<Tensor> in, const Attrs& attrs) {
    return values(apply1(row(op), in, attrs));
}
std::string message(const char* op, std::vector<Tensor> in, const Attrs& attrs) {
    try {
        apply(row(op), in, attrs);
    } catch (const UserError& e) {
        return e.what();
    }
    return "no error";
}

TEST(Shapes, TransposePutsEveryElementInItsPlace) {
    std::mt19937 random(2);
    int checked = 0;
    for (const Shape& shape : {Shape{5}, Shape{3, 4}, Shape{70, 33}, Shape{128, 64}, Shape{2, 3, 4}, Shape{17, 9, 21},
                               Shape{3, 16, 2, 40}}) {
        for (DType dtype : {DType::Bool, DType::Int16, DType::Float32, DType::Float64}) {
            const Tensor x = counting(dtype, shape);
            Ints p;
            for (int k = 0; k < shape.rank(); ++k) p.push_back(k);
            do {
                const Tensor y = apply1(row("Transpose"), {&x, 1}, {p});
                const Shape from = strides_of(shape), to = strides_of(y.shape());
                for (std::int64_t i = 0; i < y.count(); ++i) {
                    std::int64_t at = 0;
                    for (std::size_t k = 0; k < p.size(); ++k)
                        at += i / to[k] % y.shape()[k] * from[static_cast<std::size_t>(p[k])];
                    ASSERT_EQ(load_int(dtype, y.data(), i), load_int(dtype, x.data(), at))
                        << to_string(shape) << " by " << to_string(p);
                }
                ++checked;
            } while (std::next_permutation(p.begin(), p.end()));
        }
    }
    EXPECT_GE(checked, 100);
    const Tensor x = counting({2, 3});
    EXPECT_EQ(apply1(row("Transpose"), {&x, 1}, {AttrValue{}}).shape(), (Shape{3, 2}));
}

TEST(Shapes, SlicesCountAsPythonsDo) {
    const Tensor x = counting({10});
    auto slice = [&](std::int64_t b, std::int64_t e, std::int64_t s) {
        return run("StridedSlice", {x}, {Ints{b}, Ints{e}, Ints{s}});
    };
    EXPECT_THAT(slice(2, 5, 1), ElementsAre(2, 3, 4));
    EXPECT_THAT(slice(-3, 100, 1), ElementsAre(7, 8, 9));
    EXPECT_THAT(slice(8, 2, -3), ElementsAre(8, 5));
    EXPECT_THAT(slice(3, -11, -1), ElementsAre(3, 2, 1, 0));
    EXPECT_THAT(slice(5, 5, 1), ElementsAre());
    EXPECT_THAT(slice(0, 10, 4), ElementsAre(0, 4, 8));
    const Tensor m = counting({3, 4});
    EXPECT_THAT(run("StridedSlice", {m}, {Ints{1, 3}, Ints{3, 0}, Ints{1, -2}}), ElementsAre(7, 5, 11, 9));
    EXPECT_THAT(run("StridedSlice", {m}, {Ints{2}, Ints{3}, Ints{1}}), ElementsAre(8, 9, 10, 11));
    EXPECT_THAT(message("StridedSlice", {x}, {Ints{0}, Ints{1}, Ints{0}}), HasSubstr("stride of axis 0 is 0"));
    const Tensor two = floats({-1, -2});
    EXPECT_THAT(run("SliceUpdate", {x, two}, {Ints{1}, Ints{5}, Ints{2}}), ElementsAre(0, -1, 2, -2, 4, 5, 6, 7, 8, 9));
}

TEST(Shapes, JoiningAndCuttingAreInverse) {
    const Tensor x = counting({4, 7, 3});
    for (std::int64_t axis : {0, 1, 2, -1}) {
        const std::vector<Tensor> parts = apply(row("Split"), {&x, 1}, {Ints{2}, axis});
        EXPECT_EQ(values(apply1(row("Concat"), parts, {axis})), values(x));
        const std::vector<Tensor> slices = apply(row("Unstack"), {&x, 1}, {axis});
        EXPECT_EQ(values(apply1(row("Stack"), slices, {axis})), values(x));
    }
    const std::vector<Tensor> chunks = apply(row("Chunk"), {&x, 1}, {std::int64_t{3}, std::int64_t{1}});
    ASSERT_EQ(chunks.size(), 3u);
    EXPECT_EQ(chunks[2].shape(), (Shape{4, 1, 3}));
    const Tensor a = counting({2, 3}), b = counting({2, 4});
    EXPECT_THAT(message("Concat", {a, b}, {std::int64_t{0}}), HasSubstr("tensor 1 has shape (2, 4)"));
    EXPECT_THAT(message("Stack", {a, b}, {std::int64_t{0}}), HasSubstr("all must be equal"));
    EXPECT_THAT(message("Split", {a}, {Ints{2, 2}, std::int64_t{1}}), HasSubstr("add up to 4"));
}

TEST(Shapes, ConcatPromotes) {
    const Tensor a = counting(DType::Int32, {2}), b = counting(DType::Float32, {1});
    const Tensor in[2] = {a, b};
    EXPECT_EQ(apply1(row("Concat"), in, {std::int64_t{0}}).dtype(), DType::Float32);
}

TEST(Shapes, RearrangeAsNumpyDoes) {
    const Tensor x = counting({2, 3});
    EXPECT_THAT(run("ReverseV2", {x}, {Ints{1}}), ElementsAre(2, 1, 0, 5, 4, 3));
    EXPECT_THAT(run("Roll", {x}, {Ints{1}, Ints{1}}), ElementsAre(2, 0, 1, 5, 3, 4));
    EXPECT_THAT(run("Roll", {x}, {Ints{-2}, AttrValue{}}), ElementsAre(2, 3, 4, 5, 0, 1));
    EXPECT_THAT(run("Tile", {x}, {Ints{1, 2}}), ElementsAre(0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5));
    EXPECT_THAT(run("RepeatInterleave", {x}, {std::int64_t{2}, std::int64_t{1}}),
                ElementsAre(0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5));
    EXPECT_THAT(run("Pad", {x}, {Ints{1, 0, 0, 1}, std::string("constant"), 9.0}),
                ElementsAre(9, 0, 1, 2, 9, 3, 4, 5, 9, 9, 9, 9));
    EXPECT_THAT(run("Tril", {x}, {std::int64_t{0}}), ElementsAre(0, 0, 0, 3, 4, 0));
    EXPECT_THAT(run("Triu", {x}, {std::int64_t{1}}), ElementsAre(0, 1, 2, 0, 0, 5));
    EXPECT_THAT(run("Diagonal", {x}, {std::int64_t{1}, std::int64_t{0}, std::int64_t{1}}), ElementsAre(1, 5));
    EXPECT_THAT(run("Diag", {floats({1, 2})}, {}), ElementsAre(1, 0, 0, 2));
    EXPECT_THAT(run("BroadcastTo", {floats({1, 2})}, {Ints{2, -1}}), ElementsAre(1, 2, 1, 2));
    EXPECT_THAT(message("BroadcastTo", {x}, {Ints{3, 3}}), HasSubstr("(2, 3) does not broadcast to (3, 3)"));
    const Tensor in[2] = {floats({1, 2, 3}), floats({4, 5})};
    const std::vector<Tensor> grid = apply(row("Meshgrid"), in, {std::string("xy")});
    EXPECT_EQ(grid[0].shape(), (Shape{2, 3}));
    EXPECT_THAT(values(grid[1]), ElementsAre(4, 4, 4, 5, 5, 5));
}

TEST(Shapes, ViewsShareTheirBytes) {
    const Tensor x = counting({2, 1, 3});
    for (auto [name, attrs] : {std::pair<const char*, Attrs>{"Squeeze", {AttrValue{}}},
                               {"ExpandDims", {std::int64_t{0}}},
                               {"Flatten", {std::int64_t{1}, std::int64_t{-1}}},
                               {"Ravel", {}},
                               {"Identity", {}}}) {
        EXPECT_EQ(apply1(row(name), {&x, 1}, attrs).data(), x.data()) << name;
    }
    EXPECT_NE(apply1(row("TensorCopy"), {&x, 1}, {}).data(), x.data());
    EXPECT_THAT(message("Squeeze", {x}, {Ints{0}}), HasSubstr("has extent 2"));
}

TEST(Indexing, GathersAndScatters) {
    const Tensor x = counting({3, 2});
    EXPECT_THAT(run("Gather", {x, indices({2}, {2, -3})}, {std::int64_t{0}}), ElementsAre(4, 5, 0, 1));
    EXPECT_THAT(run("Gather", {x, indices({1, 3}, {1, 1, 0})}, {std::int64_t{1}}),
                ElementsAre(1, 1, 0, 3, 3, 2, 5, 5, 4));
    EXPECT_THAT(run("GatherD", {x, indices({1, 2}, {2, 0})}, {std::int64_t{0}}), ElementsAre(4, 1));
    EXPECT_THAT(run("GatherNd", {x, indices({2, 2}, {0, 1, -1, 0})}, {}), ElementsAre(1, 4));
    EXPECT_THAT(run("TensorScatterUpdate", {x, indices({1, 1}, {1}), counting({1, 2})}, {}),
                ElementsAre(0, 1, 0, 1, 4, 5));
    EXPECT_THAT(run("TensorScatterAdd", {floats({0, 0, 0}), indices({3, 1}, {1, 1, 0}), floats({1, 2, 3})}, {}),
                ElementsAre(3, 3, 0));
    EXPECT_THAT(run("IndexAdd", {floats({0, 0, 0}), indices({3}, {1, 1, 2}), floats({1, 2, 3})}, {std::int64_t{0}}),
                ElementsAre(0, 3, 3));
    EXPECT_THAT(run("Take", {x, indices({2}, {5, 0})}, {AttrValue{}}), ElementsAre(5, 0));
    EXPECT_THAT(run("OneHot", {indices({3}, {1, 0, 5})}, {std::int64_t{2}, 1.0, 0.0, std::int64_t{-1}, DType::Float32}),
                ElementsAre(0, 1, 1, 0, 0, 0));
    EXPECT_THAT(run("OneHot", {indices({2}, {1, 0})}, {std::int64_t{2}, 3.0, -1.0, std::int64_t{0}, DType::Int64}),
                ElementsAre(-1, 3, 3, -1));
    EXPECT_THAT(message("Gather", {x, indices({2}, {0, 3})}, {std::int64_t{0}}), HasSubstr("index 3 at position (1,)"));
    EXPECT_THAT(message("GatherNd", {x, indices({1, 2}, {0, 2})}, {}), HasSubstr("the extent of axis 1"));
}

TEST(Indexing, FindsAndOrders) {
    const Tensor x = floats({3, 0, 2, 0, 5});
    EXPECT_THAT(run("NonZero", {x}, {}), ElementsAre(0, 2, 4));
    const std::uint8_t truth[5] = {1, 0, 0, 1, 1};
    const Tensor mask = Tensor::from_bytes(DType::Bool, Shape{5}, truth);
    EXPECT_THAT(run("MaskedSelect", {x, mask}, {}), ElementsAre(3, 0, 5));
    EXPECT_THAT(run("MaskedFill", {x, mask, Tensor::scalar(-1)}, {}), ElementsAre(-1, 0, 2, -1, -1));
    const std::vector<Tensor> sorted = apply(row("Sort"), {&x, 1}, {std::int64_t{0}, false});
    EXPECT_THAT(values(sorted[0]), ElementsAre(0, 0, 2, 3, 5));
    EXPECT_THAT(values(sorted[1]), ElementsAre(1, 3, 2, 0, 4));
    const std::vector<Tensor> top = apply(row("TopK"), {&x, 1}, {std::int64_t{2}, AttrValue{}, true, true});
    EXPECT_THAT(values(top[0]), ElementsAre(5, 3));
    EXPECT_THAT(values(top[1]), ElementsAre(4, 0));
    EXPECT_THAT(run("ArgSort", {x}, {std::int64_t{-1}, true}), ElementsAre(4, 0, 2, 1, 3));
    EXPECT_THAT(run("CumSum", {x}, {std::int64_t{0}, false, false}), ElementsAre(3, 3, 5, 5, 10));
    EXPECT_THAT(run("CumSum", {x}, {std::int64_t{0}, true, true}), ElementsAre(7, 7, 5, 5, 0));
    EXPECT_THAT(run("CumProd", {floats({2, 3, 4})}, {std::int64_t{0}, false, false}), ElementsAre(2, 6, 24));
}

TEST(Creation, MakesRangesAndMatrices) {
    EXPECT_THAT(run("Range", {}, {0.0, 5.0, 2.0, AttrValue{}}), ElementsAre(0, 2, 4));
    EXPECT_THAT(run("Range", {}, {3.0, AttrValue{}, 1.0, AttrValue{}}), ElementsAre(0, 1, 2));
    EXPECT_EQ(apply1(row("Range"), {}, {0.0, 1.0, 0.5, AttrValue{}}).dtype(), DType::Float32);
    EXPECT_THAT(run("LinSpace", {}, {0.0, 1.0, std::int64_t{5}, DType::Float64}), ElementsAre(0, 0.25, 0.5, 0.75, 1));
    EXPECT_THAT(run("Eye", {}, {std::int64_t{2}, std::int64_t{3}, DType::Int32}), ElementsAre(1, 0, 0, 0, 1, 0));
    EXPECT_THAT(run("OnesLike", {floats({3, 4})}, {AttrValue{}}), ElementsAre(1, 1));
}

}  // namespace
}  // namespace fusescope
