// Matrix products: values against sums in long double, gradients, shapes that do not fit.
#include "engine/core/allocator.hpp"
#include "tests/engine/nn_support.hpp"

namespace fusescope::testing {
namespace {

struct Case {
    Shape a, b;
    bool ta = false, tb = false;
};

// numpy.matmul by definition.
Values naive(const Tensor& a, const Tensor& b, bool ta, bool tb, Shape* result) {
    const Values va = values_of(a), vb = values_of(b);
    Shape sa = a.shape(), sb = b.shape();
    const bool row = sa.rank() == 1, column = sb.rank() == 1;
    if (row) sa.insert(sa.begin(), 1), ta = false;
    if (column) sb.push_back(1), tb = false;
    auto back = [](const Shape& s, int k) { return s[s.size() - static_cast<std::size_t>(k)]; };
    const std::int64_t m = back(sa, ta ? 1 : 2), k = back(sa, ta ? 2 : 1), n = back(sb, tb ? 2 : 1);
    Shape batch;
    const int rank = std::max(sa.rank(), sb.rank()) - 2;
    auto extent = [&](const Shape& s, int axis) {
        const int own = axis - (rank - (s.rank() - 2));
        return own < 0 ? std::int64_t{1} : s[static_cast<std::size_t>(own)];
    };
    for (int i = 0; i < rank; ++i) batch.push_back(extent(sa, i) == 1 ? extent(sb, i) : extent(sa, i));
    Values out;
    for (std::int64_t at = 0; at < batch.count(); ++at) {
        std::int64_t rest = at, ia = 0, ib = 0, step_a = 1, step_b = 1;
        for (int i = rank; i-- > 0;) {
            const std::int64_t here = rest % batch[static_cast<std::size_t>(i)];
            rest /= batch[static_cast<std::size_t>(i)];
            ia += extent(sa, i) == 1 ? 0 : here * step_a;
            ib += extent(sb, i) == 1 ? 0 : here * step_b;
            step_a *= extent(sa, i);
            step_b *= extent(sb, i);
        }
        for (std::int64_t i = 0; i < m; ++i) {
            for (std::int64_t j = 0; j < n; ++j) {
                long double sum = 0;
                for (std::int64_t p = 0; p < k; ++p) {
                    sum += static_cast<long double>(
                               va[static_cast<std::size_t>(ia * m * k + (ta ? p * m + i : i * k + p))]) *
                           vb[static_cast<std::size_t>(ib * k * n + (tb ? j * k + p : p * n + j))];
                }
                out.push_back(static_cast<double>(sum));
            }
        }
    }
    *result = batch;
    if (!row) result->push_back(m);
    if (!column) result->push_back(n);
    return out;
}

const Case kCases[] = {
    {{1, 1}, {1, 1}},
    {{3, 5}, {5, 7}},
    {{5, 3}, {5, 7}, true, false},
    {{3, 5}, {7, 5}, false, true},
    {{5, 3}, {7, 5}, true, true},
    {{5}, {5}},
    {{5}, {5, 3}},
    {{4, 5}, {5}},
    {{2, 3, 5}, {5}},
    {{5}, {2, 5, 3}},
    {{2, 3, 5}, {5, 4}},
    {{2, 3, 5}, {4, 5}, false, true},
    {{2, 5, 3}, {2, 5, 4}, true, false},
    {{2, 1, 3, 5}, {4, 5, 2}},
    {{1, 3, 5}, {6, 5, 2}},
    {{3, 5}, {6, 2, 5}, false, true},
    {{7, 1, 3, 5}, {1, 7, 5, 2}},
    {{0, 5}, {5, 3}},
    {{3, 0}, {0, 2}},
    {{0, 2, 3}, {3, 2}},
    {{37, 131}, {131, 67}},
    {{32, 257}, {129, 257}, false, true},
    {{31, 130}, {31, 97}, true, false},
};

TEST(MatMul, AgreesWithTheDefinition) {
    const DType dtypes[] = {DType::Float32,  DType::Float64, DType::Float16,
                            DType::BFloat16, DType::Int32,   DType::Int64};
    int checked = 0;
    for (const Case& c : kCases) {
        for (DType d : dtypes) {
            Tensor a = random_tensor(c.a, 1), b = random_tensor(c.b, 2);
            if (is_int(d))
                a = lang::mul(a, Tensor::scalar(64, DType::Float64)),
                b = lang::mul(b, Tensor::scalar(64, DType::Float64));
            a = lang::cast(a, d), b = lang::cast(b, d);
            Shape shape;
            const Values want = naive(a, b, c.ta, c.tb, &shape);
            const Tensor got = lang::matmul(a, b, c.ta, c.tb);
            EXPECT_EQ(got.dtype(), d);
            ASSERT_EQ(got.shape(), shape) << to_string(c.a) << " by " << to_string(c.b);
            const double tolerance = d == DType::BFloat16  ? 8e-3
                                     : d == DType::Float16 ? 1e-3
                                     : d == DType::Float32 ? 1e-5
                                                           : 1e-12;
            expect_near(values_of(got), want, tolerance);
            ++checked;
        }
    }
    EXPECT_EQ(checked, 6 * static_cast<int>(std::size(kCases)));
}

TEST(MatMul, GradientsAgreeWithDifferences) {
    for (const Case& c : kCases) {
        if (c.a.count() == 0 || c.a.count() > 100) continue;
        SCOPED_TRACE(to_string(c.a) + " by " + to_string(c.b));
        check_gradients([&](const std::vector<Tensor>& x) { return std::vector{lang::matmul(x[0], x[1], c.ta, c.tb)}; },
                        {random_tensor(c.a, 3), random_tensor(c.b, 4)});
    }
}

TEST(MatMul, SecondGradientsAgreeWithDifferences) {
    check_gradients(
        [&](const std::vector<Tensor>& x) {
            autodiff::Tape tape(Context::current());
            tape.watch(x[0]);
            const Tensor y = lang::matmul(x[0], x[1], true, true);
            tape.stop();
            const Tensor in[1] = {x[0]}, out[1] = {lang::mul(y, y)};
            (void)out;
            const Tensor ys[1] = {y};
            const Tensor seeds[1] = {x[2]};
            return tape.gradient(ys, seeds, in);
        },
        {random_tensor({5, 3}, 3), random_tensor({7, 5}, 4), random_tensor({3, 7}, 5)});
}

TEST(MatMul, PromotesOperands) {
    const Tensor y = lang::matmul(random_tensor({2, 3}, 1, DType::Float16), random_tensor({3, 2}, 2, DType::Float32));
    EXPECT_EQ(y.dtype(), DType::Float32);
}

TEST(MatMul, SaysWhichAxesClashAndThatATransposeWouldFit) {
    const UserError e = error_of([] { lang::matmul(random_tensor({32, 1024}, 1), random_tensor({512, 1024}, 2)); });
    EXPECT_EQ(e.kind(), ErrorKind::shape);
    EXPECT_EQ(e.op(), "MatMul");
    EXPECT_EQ(e.shapes(), (std::vector<std::string>{"(32, 1024)", "(512, 1024)"}));
    EXPECT_NE(std::string(e.what()).find("axis 1 of the left operand is 1024"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("axis 0 of the right operand is 512"), std::string::npos) << e.what();
    EXPECT_NE(e.advice().find("transpose_b=True"), std::string::npos) << e.advice();
}

TEST(MatMul, SaysThatLeadingAxesClash) {
    const UserError e = error_of([] { lang::matmul(random_tensor({2, 3, 4}, 1), random_tensor({5, 4, 3}, 2)); });
    EXPECT_NE(std::string(e.what()).find("(2,) and (5,)"), std::string::npos) << e.what();
    const UserError scalar = error_of([] { lang::matmul(random_tensor({}, 1), random_tensor({5}, 2)); });
    EXPECT_EQ(scalar.kind(), ErrorKind::shape);
}

TEST(MatMul, RefusesBool) {
    const Tensor b = lang::cast(random_tensor({2, 2}, 1), DType::Bool);
    EXPECT_EQ(error_of([&] { lang::matmul(b, b); }).kind(), ErrorKind::dtype);
}

TEST(MatMul, AsksTheSystemForNothingInSteadyState) {
    const Tensor a = random_tensor({32, 64}, 1, DType::Float32), b = random_tensor({64, 48}, 2, DType::Float32);
    for (int i = 0; i < 3; ++i) lang::matmul(a, b);
    const auto before = allocator::stats(DeviceKind::cpu).system_calls;
    for (int i = 0; i < 20; ++i) lang::matmul(a, b);
    EXPECT_EQ(allocator::stats(DeviceKind::cpu).system_calls, before);
}

}  // namespace
}  // namespace fusescope::testing
