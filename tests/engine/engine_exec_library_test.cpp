// Fused nodes that the CPU library runs: the same bits as their members.
#include <gtest/gtest.h>

#include <random>

#include "engine/exec/executable.hpp"
#include "engine/exec/kernel_factory.hpp"
#include "tests/engine/exec_support.hpp"

namespace fusescope {
namespace {

using namespace testing;
using exec::Executable;
using Tensors = std::span<const Tensor>;

Tensor random_floats(std::mt19937& r, const Shape& shape) {
    std::vector<float> v(static_cast<std::size_t>(shape.count()));
    for (float& x : v) x = static_cast<float>(std::normal_distribution<double>()(r));
    return Tensor::from_bytes(DType::Float32, shape, v.data());
}

template <class F>
void check(const std::string& kernel, const std::vector<Tensor>& inputs, F&& recipe, bool library = true) {
    std::vector<TensorType> types;
    for (const Tensor& t : inputs) types.push_back(t.type());
    const ir::GraphPtr graph = fused_graph({graph_of(types, recipe)}, kernel);
    Executable fused(graph, std::make_shared<exec::KernelFactory>(), 1), members(graph, nullptr, 2);
    EXPECT_EQ(fused.generated(), library ? 1 : 0);
    const std::vector<Tensor> a = fused.run(Context::current(), inputs), b = members.run(Context::current(), inputs);
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t k = 0; k < a.size(); ++k) EXPECT_EQ(difference(a[k], b[k]), "") << k;
}

TEST(LibraryKernel, MatMulWithBiasAndReLUEqualsItsMembers) {
    std::mt19937 r(1);
    for (const auto& [m, k, n] : {std::tuple{32, 1024, 512}, {1, 7, 3}, {5, 64, 33}, {128, 16, 1}}) {
        const std::vector<Tensor> in = {random_floats(r, {m, k}), random_floats(r, {k, n}), random_floats(r, {n})};
        check("matmul", in, [](Tensors x) {
            return std::vector<Tensor>{Op("ReLU").one({Op("Add").one({Op("MatMul").one({x[0], x[1]}), x[2]})})};
        });
        check("matmul", in, [](Tensors x) {
            return std::vector<Tensor>{Op("Add").one({x[2], Op("MatMul").one({x[0], x[1]})})};
        });
        check("matmul", in, [](Tensors x) {
            return std::vector<Tensor>{Op("ReLU").one({Op("MatMul").one({x[0], x[1]})})};
        });
    }
}

TEST(LibraryKernel, TransposedAndBatchedMatMulEqualsItsMembers) {
    std::mt19937 r(2);
    check("matmul", {random_floats(r, {4, 9, 20}), random_floats(r, {15, 20}), random_floats(r, {1, 15})},
          [](Tensors x) {
              const Tensor y = Op("MatMul").one({x[0], x[1]}, {false, true});
              return std::vector<Tensor>{Op("ReLU").one({Op("Add").one({y, x[2]})})};
          });
}

TEST(LibraryKernel, LeavesOtherTailsToTheMembers) {
    std::mt19937 r(3);
    // A column is no bias.
    check(
        "matmul", {random_floats(r, {6, 5}), random_floats(r, {5, 4}), random_floats(r, {6, 1})},
        [](Tensors x) {
            return std::vector<Tensor>{Op("Add").one({Op("MatMul").one({x[0], x[1]}), x[2]})};
        },
        false);
    // Two results.
    check(
        "matmul", {random_floats(r, {6, 5}), random_floats(r, {5, 4})},
        [](Tensors x) {
            const Tensor y = Op("MatMul").one({x[0], x[1]});
            return std::vector<Tensor>{y, Op("ReLU").one({y})};
        },
        false);
}

TEST(LibraryKernel, ConvolutionWithBiasAndReLUEqualsItsMembers) {
    std::mt19937 r(4);
    check("conv", {random_floats(r, {2, 3, 16, 16}), random_floats(r, {8, 3, 3, 3}), random_floats(r, {8})},
          [](Tensors x) {
              return std::vector<Tensor>{Op("ReLU").one({Op("Conv2D").one({x[0], x[1], x[2]})})};
          });
    check("conv", {random_floats(r, {2, 3, 16, 16}), random_floats(r, {8, 3, 3, 3})}, [](Tensors x) {
        return std::vector<Tensor>{Op("ReLU").one({Op("Conv2D").one({x[0], x[1], Tensor()})})};
    });
}

}  // namespace
}  // namespace fusescope
