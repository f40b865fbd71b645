#include "engine/cpu/pooling.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "engine/core/convert.hpp"
#include "engine/cpu/parallel.hpp"

namespace fusescope::cpu {
namespace {

struct Window {
    std::int64_t y0, y1, x0, x1;
};

Window window_at(const PoolShape& s, std::int64_t y, std::int64_t x) {
    const std::int64_t y0 = y * s.sh - s.top, x0 = x * s.sw - s.left;
    return {std::max<std::int64_t>(y0, 0), std::min(y0 + s.kh, s.ih), std::max<std::int64_t>(x0, 0),
            std::min(x0 + s.kw, s.iw)};
}

double divisor(const PoolShape& s, const Window& w) {
    return static_cast<double>(s.count_padding ? s.kh * s.kw
                                               : std::max<std::int64_t>(1, (w.y1 - w.y0) * (w.x1 - w.x0)));
}

// Works plane by plane in A (float, or double for Float64); other types are converted a plane at a time.
template <class A, class F>
void each_plane(DType dtype, std::int64_t planes, std::int64_t in, std::int64_t out, const void* src, void* dst, F f) {
    const bool direct = dtype == DType::Float32 || dtype == DType::Float64;
    parallel_for(planes, std::max<std::int64_t>(2, (1 << 15) / std::max<std::int64_t>(1, in)), 1,
                 [&](std::int64_t begin, std::int64_t end) {
                     std::vector<A> a(direct ? 0 : static_cast<std::size_t>(in)),
                         b(direct ? 0 : static_cast<std::size_t>(out));
                     for (std::int64_t p = begin; p < end; ++p) {
                         if (direct) {
                             f(p, static_cast<const A*>(src) + p * in, static_cast<A*>(dst) + p * out);
                             continue;
                         }
                         for (std::int64_t i = 0; i < in; ++i)
                             a[static_cast<std::size_t>(i)] = static_cast<A>(load_double(dtype, src, p * in + i));
                         f(p, a.data(), b.data());
                         for (std::int64_t i = 0; i < out; ++i)
                             store_double(dtype, dst, p * out + i, b[static_cast<std::size_t>(i)]);
                     }
                 });
}

template <class F>
void by_type(DType dtype, F f) {
    if (dtype == DType::Float64) return f(double{});
    f(float{});
}

template <class A>
std::int64_t largest(const PoolShape& s, const A* x, const Window& w) {
    std::int64_t best = w.y0 * s.iw + w.x0;
    for (std::int64_t i = w.y0; i < w.y1; ++i)
        for (std::int64_t j = w.x0; j < w.x1; ++j) {
            const A v = x[i * s.iw + j];
            if (v > x[best] || (std::isnan(v) && !std::isnan(x[best]))) best = i * s.iw + j;
        }
    return best;
}

}  // namespace

void max_pool(DType dtype, const PoolShape& s, const void* src, void* dst) {
    by_type(dtype, [&](auto zero) {
        using A = decltype(zero);
        each_plane<A>(dtype, s.planes, s.ih * s.iw, s.oh * s.ow, src, dst, [&](std::int64_t, const A* x, A* y) {
            for (std::int64_t i = 0; i < s.oh; ++i)
                for (std::int64_t j = 0; j < s.ow; ++j) {
                    const Window w = window_at(s, i, j);
                    const bool none = w.y0 >= w.y1 || w.x0 >= w.x1;
                    y[i * s.ow + j] = none ? -std::numeric_limits<A>::infinity() : x[largest(s, x, w)];
                }
        });
    });
}

void max_pool_grad(DType dtype, const PoolShape& s, const void* src, const void* dst_grad, void* src_grad) {
    by_type(dtype, [&](auto zero) {
        using A = decltype(zero);
        each_plane<A>(dtype, s.planes, s.ih * s.iw, s.ih * s.iw, src, src_grad, [&](std::int64_t p, const A* x, A* dx) {
            std::fill(dx, dx + s.ih * s.iw, A{0});
            for (std::int64_t i = 0; i < s.oh; ++i)
                for (std::int64_t j = 0; j < s.ow; ++j) {
                    const Window w = window_at(s, i, j);
                    if (w.y0 >= w.y1 || w.x0 >= w.x1) continue;
                    dx[largest(s, x, w)] += static_cast<A>(load_double(dtype, dst_grad, (p * s.oh + i) * s.ow + j));
                }
        });
    });
}

void avg_pool(DType dtype, const PoolShape& s, const void* src, void* dst) {
    by_type(dtype, [&](auto zero) {
        using A = decltype(zero);
        each_plane<A>(dtype, s.planes, s.ih * s.iw, s.oh * s.ow, src, dst, [&](std::int64_t, const A* x, A* y) {
            for (std::int64_t i = 0; i < s.oh; ++i)
                for (std::int64_t j = 0; j < s.ow; ++j) {
                    const Window w = window_at(s, i, j);
                    A sum = 0;
                    for (std::int64_t r = w.y0; r < w.y1; ++r)
                        for (std::int64_t c = w.x0; c < w.x1; ++c) sum += x[r * s.iw + c];
                    y[i * s.ow + j] = sum / static_cast<A>(divisor(s, w));
                }
        });
    });
}

void avg_pool_grad(DType dtype, const PoolShape& s, const void* dst_grad, void* src_grad) {
    by_type(dtype, [&](auto zero) {
        using A = decltype(zero);
        each_plane<A>(dtype, s.planes, s.oh * s.ow, s.ih * s.iw, dst_grad, src_grad,
                      [&](std::int64_t, const A* dy, A* dx) {
                          std::fill(dx, dx + s.ih * s.iw, A{0});
                          for (std::int64_t i = 0; i < s.oh; ++i)
                              for (std::int64_t j = 0; j < s.ow; ++j) {
                                  const Window w = window_at(s, i, j);
                                  const A share = dy[i * s.ow + j] / static_cast<A>(divisor(s, w));
                                  for (std::int64_t r = w.y0; r < w.y1; ++r)
                                      for (std::int64_t c = w.x0; c < w.x1; ++c) dx[r * s.iw + c] += share;
                              }
                      });
    });
}

}  // namespace fusescope::cpu
