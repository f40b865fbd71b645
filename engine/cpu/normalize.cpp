#include "engine/cpu/normalize.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "engine/core/convert.hpp"
#include "engine/cpu/parallel.hpp"
#include "engine/expr/lanes.hpp"

namespace fusescope::cpu {
namespace {

template <class A>
using V = expr::Lanes<A>;

// Rows are worked on in a buffer of the accumulation type; Float32 and Float64 rows in place.
template <class A>
struct Row {
    DType dtype;
    std::vector<A> buffer;
    const A* load(const void* src, std::int64_t row, std::int64_t n) {
        if (sizeof(A) == size_of(dtype)) return static_cast<const A*>(src) + row * n;
        for (std::int64_t i = 0; i < n; ++i)
            buffer[static_cast<std::size_t>(i)] = static_cast<A>(load_double(dtype, src, row * n + i));
        return buffer.data();
    }
};

template <class A>
V<A> load(const A* p, std::int64_t left, A fill) {
    V<A> v;
    if (left >= V<A>::kCount) {
        __builtin_memcpy(&v.v, p, sizeof v.v);
    } else {
        for (int k = 0; k < V<A>::kCount; ++k) v.v[k] = k < left ? p[k] : fill;
    }
    return v;
}

template <class A>
void store(A* p, std::int64_t left, V<A> v) {
    if (left >= V<A>::kCount) {
        __builtin_memcpy(p, &v.v, sizeof v.v);
    } else {
        for (int k = 0; k < left; ++k) p[k] = v.v[k];
    }
}

template <class A>
A sum_lanes(V<A> v) {
    A s = 0;
    for (int k = 0; k < V<A>::kCount; ++k) s += v.v[k];
    return s;
}

template <class A>
void write_row(DType dtype, void* dst, std::int64_t row, std::int64_t n, const A* values) {
    if (sizeof(A) == size_of(dtype)) return;  // written in place
    for (std::int64_t i = 0; i < n; ++i) {
        if (dtype == DType::Float16)
            static_cast<std::uint16_t*>(dst)[row * n + i] = float_to_half(static_cast<float>(values[i]));
        if (dtype == DType::BFloat16)
            static_cast<std::uint16_t*>(dst)[row * n + i] = float_to_bfloat(static_cast<float>(values[i]));
    }
}

template <class A>
void softmax_all(DType dtype, std::int64_t rows, std::int64_t n, const void* src, void* dst, bool logarithm) {
    constexpr std::int64_t W = V<A>::kCount;
    const bool direct = sizeof(A) == size_of(dtype);
    parallel_for(rows, std::max<std::int64_t>(2, 8192 / n), 1, [&](std::int64_t begin, std::int64_t end) {
        Row<A> in{dtype, std::vector<A>(direct ? 0 : static_cast<std::size_t>(n))};
        std::vector<A> result(direct ? 0 : static_cast<std::size_t>(n));
        for (std::int64_t r = begin; r < end; ++r) {
            const A* x = in.load(src, r, n);
            A* y = direct ? static_cast<A*>(dst) + r * n : result.data();
            constexpr A low = -std::numeric_limits<A>::infinity();
            V<A> top = V<A>::of(low);
            for (std::int64_t i = 0; i < n; i += W) {
                const V<A> v = load(x + i, n - i, low);
                top = select((v > top) | (v != v), v, top);
            }
            A biggest = low;
            for (int k = 0; k < W; ++k) biggest = top.v[k] > biggest || top.v[k] != top.v[k] ? top.v[k] : biggest;
            const V<A> shift = V<A>::of(biggest);
            V<A> total = V<A>::of(0);
            for (std::int64_t i = 0; i < n; i += W) {
                const V<A> e = exp(load(x + i, n - i, low) - shift);
                // Lanes past the end hold exp(-inf) = 0, unless the row's maximum is -Inf itself.
                for (int k = 0; k < W; ++k) total.v[k] += i + k < n ? e.v[k] : A{0};
                if (!logarithm) store(y + i, n - i, e);
            }
            const A sum = sum_lanes(total);
            if (logarithm) {
                const V<A> log_sum = V<A>::of(std::log(sum));
                for (std::int64_t i = 0; i < n; i += W) store(y + i, n - i, load(x + i, n - i, low) - shift - log_sum);
            } else {
                const V<A> all = V<A>::of(sum);
                for (std::int64_t i = 0; i < n; i += W)
                    store(y + i, n - i, load(static_cast<const A*>(y) + i, n - i, A{1}) / all);
            }
            write_row(dtype, dst, r, n, y);
        }
    });
}

template <class A>
void layer_norm_all(DType dtype, std::int64_t rows, std::int64_t n, double epsilon, const void* x, const void* gamma,
                    const void* beta, void* y, void* mean, void* rstd) {
    constexpr std::int64_t W = V<A>::kCount;
    const bool direct = sizeof(A) == size_of(dtype);
    Row<A> scale{dtype, std::vector<A>(static_cast<std::size_t>(n))},
        shift{dtype, std::vector<A>(static_cast<std::size_t>(n))};
    const A* g = scale.load(gamma, 0, n);
    const A* b = shift.load(beta, 0, n);
    parallel_for(rows, std::max<std::int64_t>(2, 16384 / n), 1, [&](std::int64_t begin, std::int64_t end) {
        Row<A> in{dtype, std::vector<A>(direct ? 0 : static_cast<std::size_t>(n))};
        std::vector<A> result(direct ? 0 : static_cast<std::size_t>(n));
        for (std::int64_t r = begin; r < end; ++r) {
            const A* p = in.load(x, r, n);
            A* out = direct ? static_cast<A*>(y) + r * n : result.data();
            V<A> total = V<A>::of(0);
            for (std::int64_t i = 0; i < n; i += W) total = total + load(p + i, n - i, A{0});
            const A mu = sum_lanes(total) / static_cast<A>(n);
            const V<A> center = V<A>::of(mu);
            V<A> squares = V<A>::of(0);
            for (std::int64_t i = 0; i < n; i += W) {
                const V<A> d = load(p + i, n - i, mu) - center;
                squares = squares + d * d;
            }
            const A scale_by = A{1} / std::sqrt(sum_lanes(squares) / static_cast<A>(n) + static_cast<A>(epsilon));
            const V<A> factor = V<A>::of(scale_by);
            for (std::int64_t i = 0; i < n; i += W) {
                const V<A> d = (load(p + i, n - i, mu) - center) * factor;
                store(out + i, n - i, d * load(g + i, n - i, A{1}) + load(b + i, n - i, A{0}));
            }
            write_row(dtype, y, r, n, out);
            store_double(dtype, mean, r, mu);
            store_double(dtype, rstd, r, scale_by);
        }
    });
}

template <class A>
void batch_norm_all(DType dtype, std::int64_t n, std::int64_t c, std::int64_t inner, bool training, double epsilon,
                    const void* x, const void* scale, const void* bias, const void* mean, const void* variance, void* y,
                    void* mean_out, void* variance_out) {
    constexpr std::int64_t W = V<A>::kCount;
    const bool direct = sizeof(A) == size_of(dtype);
    parallel_for(c, std::max<std::int64_t>(2, 16384 / std::max<std::int64_t>(1, n * inner)), 1,
                 [&](std::int64_t begin, std::int64_t end) {
                     Row<A> in{dtype, std::vector<A>(direct ? 0 : static_cast<std::size_t>(inner))};
                     std::vector<A> result(direct ? 0 : static_cast<std::size_t>(inner));
                     for (std::int64_t k = begin; k < end; ++k) {
                         A mu = static_cast<A>(load_double(dtype, mean, k)),
                           var = static_cast<A>(load_double(dtype, variance, k));
                         if (training) {
                             A sum = 0, squares = 0;
                             for (std::int64_t b = 0; b < n; ++b) {
                                 const A* p = in.load(x, b * c + k, inner);
                                 V<A> total = V<A>::of(0);
                                 for (std::int64_t i = 0; i < inner; i += W)
                                     total = total + load(p + i, inner - i, A{0});
                                 sum += sum_lanes(total);
                             }
                             mu = sum / static_cast<A>(n * inner);
                             const V<A> center = V<A>::of(mu);
                             for (std::int64_t b = 0; b < n; ++b) {
                                 const A* p = in.load(x, b * c + k, inner);
                                 V<A> total = V<A>::of(0);
                                 for (std::int64_t i = 0; i < inner; i += W) {
                                     const V<A> d = load(p + i, inner - i, mu) - center;
                                     total = total + d * d;
                                 }
                                 squares += sum_lanes(total);
                             }
                             var = squares / static_cast<A>(n * inner);
                         }
                         store_double(dtype, mean_out, k, mu);
                         store_double(dtype, variance_out, k, var);
                         const A rstd = A{1} / std::sqrt(var + static_cast<A>(epsilon));
                         const V<A> center = V<A>::of(mu),
                                    factor = V<A>::of(rstd * static_cast<A>(load_double(dtype, scale, k)));
                         const V<A> shift = V<A>::of(load_double(dtype, bias, k));
                         for (std::int64_t b = 0; b < n; ++b) {
                             const A* p = in.load(x, b * c + k, inner);
                             A* out = direct ? static_cast<A*>(y) + (b * c + k) * inner : result.data();
                             for (std::int64_t i = 0; i < inner; i += W) {
                                 store(out + i, inner - i, (load(p + i, inner - i, A{0}) - center) * factor + shift);
                             }
                             write_row(dtype, y, b * c + k, inner, out);
                         }
                     }
                 });
}

}  // namespace

void batch_norm(DType dtype, std::int64_t n, std::int64_t c, std::int64_t inner, bool training, double epsilon,
                const void* x, const void* scale, const void* bias, const void* mean, const void* variance, void* y,
                void* mean_out, void* variance_out) {
    if (dtype == DType::Float64) {
        return batch_norm_all<double>(dtype, n, c, inner, training, epsilon, x, scale, bias, mean, variance, y,
                                      mean_out, variance_out);
    }
    batch_norm_all<float>(dtype, n, c, inner, training, epsilon, x, scale, bias, mean, variance, y, mean_out,
                          variance_out);
}

void softmax_rows(DType dtype, std::int64_t rows, std::int64_t n, const void* src, void* dst, bool logarithm) {
    if (rows == 0 || n == 0) return;
    if (dtype == DType::Float64) return softmax_all<double>(dtype, rows, n, src, dst, logarithm);
    softmax_all<float>(dtype, rows, n, src, dst, logarithm);
}

void layer_norm_rows(DType dtype, std::int64_t rows, std::int64_t n, double epsilon, const void* x, const void* gamma,
                     const void* beta, void* y, void* mean, void* rstd) {
    if (rows == 0 || n == 0) return;
    if (dtype == DType::Float64) return layer_norm_all<double>(dtype, rows, n, epsilon, x, gamma, beta, y, mean, rstd);
    layer_norm_all<float>(dtype, rows, n, epsilon, x, gamma, beta, y, mean, rstd);
}

}  // namespace fusescope::cpu
