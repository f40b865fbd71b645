// What the tests of matrix, convolution, normalization, loss and optimizer ops share: values, and gradients by finite
// differences.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include "engine/autodiff/tape.hpp"
#include "engine/core/convert.hpp"
#include "engine/core/tensor_impl.hpp"
#include "engine/ops/lang.hpp"
#include "engine/ops/op_ids.hpp"
#include "fusescope/error.hpp"

namespace fusescope::testing {

using Values = std::vector<double>;

inline Tensor tensor_of(const Values& v, const Shape& shape, DType dtype = DType::Float64) {
    return lang::cast(Tensor::from_bytes(DType::Float64, shape, v.data()), dtype);
}

inline Values values_of(const Tensor& t) {
    const Tensor wide = lang::cast(t, DType::Float64);
    const double* p = wide.data_as<double>();
    return {p, p + wide.count()};
}

/// Multiples of 1/64 in [-1, 1]: exact in every float type, no two runs differ.
inline Values random_values(std::int64_t count, unsigned seed) {
    std::mt19937 gen(seed);
    Values v(static_cast<std::size_t>(count));
    for (double& x : v) x = static_cast<double>(static_cast<int>(gen() % 129) - 64) / 64.0;
    return v;
}
inline Tensor random_tensor(const Shape& shape, unsigned seed, DType dtype = DType::Float64) {
    return tensor_of(random_values(shape.count(), seed), shape, dtype);
}

inline std::vector<Tensor> run(OpId op, std::vector<Tensor> inputs, const Attrs& attrs = {}) {
    return apply(op_row(op), inputs, attrs);
}
inline Tensor run1(OpId op, std::vector<Tensor> inputs, const Attrs& attrs = {}) { return run(op, inputs, attrs)[0]; }

inline void expect_near(const Values& got, const Values& want, double tolerance) {
    ASSERT_EQ(got.size(), want.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
        if (std::isnan(want[i])) {
            ASSERT_TRUE(std::isnan(got[i])) << "element " << i << " is " << got[i];
        } else {
            ASSERT_NEAR(got[i], want[i], tolerance * std::max(1.0, std::fabs(want[i]))) << "element " << i;
        }
    }
}

/// Compares the gradients of sum(f(x) * w), w fixed and uneven, with central differences in Float64. `f` may return
/// several outputs; all count. Inputs that are not Float64 get no gradient.
inline void check_gradients(const std::function<std::vector<Tensor>(const std::vector<Tensor>&)>& f,
                            const std::vector<Tensor>& inputs, double tolerance = 1e-6, double step = 1e-5) {
    std::vector<Values> weights;
    auto loss = [&](const std::vector<Tensor>& x) {
        double total = 0;
        const std::vector<Tensor> y = f(x);
        for (std::size_t o = 0; o < y.size(); ++o) {
            if (weights.size() <= o) weights.push_back(random_values(y[o].count(), 977u + static_cast<unsigned>(o)));
            const Values v = values_of(y[o]);
            for (std::size_t i = 0; i < v.size(); ++i) total += v[i] * weights[o][i];
        }
        return total;
    };
    loss(inputs);
    std::vector<Tensor> wrt, outputs, gradients;
    for (const Tensor& t : inputs) {
        if (t.dtype() == DType::Float64) wrt.push_back(t);
    }
    {
        autodiff::Tape tape(Context::current());
        for (const Tensor& t : wrt) tape.watch(t);
        outputs = f(inputs);
        tape.stop();
        std::vector<Tensor> seeds;
        for (std::size_t o = 0; o < outputs.size(); ++o) seeds.push_back(tensor_of(weights[o], outputs[o].shape()));
        gradients = tape.gradient(outputs, seeds, wrt);
    }
    std::size_t compared = 0;
    for (std::size_t k = 0, w = 0; k < inputs.size(); ++k) {
        if (inputs[k].dtype() != DType::Float64) continue;
        const Values got = values_of(gradients[w]);
        ASSERT_EQ(gradients[w++].shape(), inputs[k].shape()) << "gradient of input " << k;
        const Values base = values_of(inputs[k]);
        for (std::size_t i = 0; i < base.size(); ++i) {
            double side[2];
            for (int s = 0; s < 2; ++s) {
                Values moved = base;
                moved[i] += s ? step : -step;
                std::vector<Tensor> x = inputs;
                x[k] = tensor_of(moved, inputs[k].shape());
                side[s] = loss(x);
            }
            const double want = (side[1] - side[0]) / (2 * step);
            ASSERT_NEAR(got[i], want, tolerance * std::max(1.0, std::fabs(want))) << "input " << k << " element " << i;
            ++compared;
        }
    }
    ASSERT_GT(compared, 0u);
}

/// The error that `f` throws; the test fails when it throws none.
inline UserError error_of(const std::function<void()>& f) {
    try {
        f();
    } catch (const UserError& e) {
        return e;
    }
    ADD_FAILURE() << "nothing was thrown";
    return UserError(ErrorKind::runtime, "", "");
}

}  // namespace fusescope::testing
