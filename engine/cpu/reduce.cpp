#include "engine/cpu/reduce.hpp"

#include <algorithm>
#include <limits>
#include <type_traits>
#include <vector>

#include "engine/core/half.hpp"
#include "engine/cpu/parallel.hpp"

namespace fusescope::cpu {
namespace {

constexpr std::int64_t kGrain = 1 << 15;

struct HalfLoad {
    using Stored = std::uint16_t;
    static float widen(std::uint16_t v) { return half_to_float(v); }
    static std::uint16_t narrow(float v) { return float_to_half(v); }
};
struct BFloatLoad {
    using Stored = std::uint16_t;
    static float widen(std::uint16_t v) { return bfloat_to_float(v); }
    static std::uint16_t narrow(float v) { return float_to_bfloat(v); }
};
template <class In, class Acc>
struct PlainLoad {
    using Stored = In;
    static Acc widen(In v) { return static_cast<Acc>(v); }
    static Acc narrow(Acc v) { return v; }
};

template <Fold F, class A>
struct Combine {
    static A identity() {
        if constexpr (F == Fold::sum) {
            return A{0};
        } else if constexpr (F == Fold::prod) {
            return A{1};
        } else if constexpr (F == Fold::max) {
            if constexpr (std::is_floating_point_v<A>) return -std::numeric_limits<A>::infinity();
            return std::numeric_limits<A>::lowest();
        } else {
            if constexpr (std::is_floating_point_v<A>) return std::numeric_limits<A>::infinity();
            return std::numeric_limits<A>::max();
        }
    }
    // For scalars and for GCC's vectors of A alike.
    template <class X>
    static X apply(X a, X b) {
        if constexpr (F == Fold::sum) {
            return a + b;
        } else if constexpr (F == Fold::prod) {
            return a * b;
        } else if constexpr (F == Fold::max) {
            if constexpr (std::is_floating_point_v<A>) return (a > b) | (a != a) ? a : b;
            return a > b ? a : b;
        } else {
            if constexpr (std::is_floating_point_v<A>) return (a < b) | (a != a) ? a : b;
            return a < b ? a : b;
        }
    }
};

template <class Load, class A, Fold F>
struct Reducer {
    using In = typename Load::Stored;
    using C = Combine<F, A>;
    typedef A V8 __attribute__((vector_size(8 * sizeof(A))));

    static V8 load8(const In* p) {
        V8 v;
        if constexpr (std::is_same_v<In, A>) {
            __builtin_memcpy(&v, p, sizeof v);
        } else {
            for (int k = 0; k < 8; ++k) v[k] = Load::widen(p[k]);
        }
        return v;
    }

    static A block(const In* p, std::int64_t n) {
        const V8 start = V8{} + C::identity();
        V8 v0 = start, v1 = start, v2 = start, v3 = start;
        std::int64_t i = 0;
        for (; i + 32 <= n; i += 32) {
            v0 = C::apply(v0, load8(p + i));
            v1 = C::apply(v1, load8(p + i + 8));
            v2 = C::apply(v2, load8(p + i + 16));
            v3 = C::apply(v3, load8(p + i + 24));
        }
        if (i < n) {
            V8* const vectors[4] = {&v0, &v1, &v2, &v3};
            for (int k = 0; i < n; ++i, ++k) {
                V8& v = *vectors[k / 8];
                v[k % 8] = C::apply(static_cast<A>(v[k % 8]), Load::widen(p[i]));
            }
        }
        const V8 v = C::apply(C::apply(v0, v1), C::apply(v2, v3));
        A lanes[8];
        for (int k = 0; k < 8; ++k) lanes[k] = v[k];
        for (int half = 4; half > 0; half /= 2) {
            for (int k = 0; k < half; ++k) lanes[k] = C::apply(lanes[k], lanes[k + half]);
        }
        return lanes[0];
    }

    static A row(const In* p, std::int64_t n) {
        A acc = block(p, std::min(n, kRowBlock));
        for (std::int64_t i = kRowBlock; i < n; i += kRowBlock) {
            acc = C::apply(acc, block(p + i, std::min(n - i, kRowBlock)));
        }
        return acc;
    }
};

/// Axes of one class (kept or reduced) with the strides of the source.
struct Walk {
    SmallVector<std::int64_t, 8> extents, strides;
    std::int64_t count = 1;

    void add(std::int64_t extent, std::int64_t stride) {
        extents.push_back(extent);
        strides.push_back(stride);
        count *= extent;
    }
    std::int64_t offset(std::int64_t index) const {
        std::int64_t at = 0;
        for (std::size_t k = extents.size(); k-- > 0;) {
            at += index % extents[k] * strides[k];
            index /= extents[k];
        }
        return at;
    }
};

struct Plan {
    Walk kept, reduced;      // without the innermost merged axis
    std::int64_t inner = 1;  // its extent
    bool inner_reduced = true;
    std::int64_t reduced_count = 1;  // elements that go into one result
};

Plan plan_of(const Shape& shape, const SmallVector<bool, 8>& flags) {
    // Neighbouring axes of one class become one axis.
    SmallVector<std::int64_t, 8> extents;
    SmallVector<bool, 8> reduced;
    Plan plan;
    for (std::size_t k = 0; k < shape.size(); ++k) {
        if (flags[k]) plan.reduced_count *= shape[k];
        if (shape[k] == 1) continue;
        if (!extents.empty() && reduced.back() == flags[k]) {
            extents.back() *= shape[k];
        } else {
            extents.push_back(shape[k]);
            reduced.push_back(flags[k]);
        }
    }
    if (extents.empty()) return plan;
    plan.inner = extents.back();
    plan.inner_reduced = reduced.back();
    std::int64_t stride = plan.inner;
    SmallVector<std::int64_t, 8> strides(extents.size(), 1);
    for (std::size_t k = extents.size() - 1; k-- > 0;) {
        strides[k] = stride;
        stride *= extents[k];
    }
    for (std::size_t k = 0; k + 1 < extents.size(); ++k)
        (reduced[k] ? plan.reduced : plan.kept).add(extents[k], strides[k]);
    return plan;
}

template <class Load, class A, Fold F, class Out>
void reduce_rows(const Plan& plan, const typename Load::Stored* src, Out&& put) {
    using R = Reducer<Load, A, F>;
    const std::int64_t outputs = plan.kept.count;
    const std::int64_t rows = plan.reduced.count;
    const std::int64_t work = rows * plan.inner;
    auto one = [&](std::int64_t o) {
        const auto* base = src + plan.kept.offset(o);
        A acc = R::row(base, plan.inner);
        for (std::int64_t r = 1; r < rows; ++r) {
            acc = R::C::apply(acc, R::row(base + plan.reduced.offset(r), plan.inner));
        }
        put(o, acc);
    };
    if (outputs < 8 && rows == 1 && plan.inner >= 16 * kRowBlock) {
        // Few long rows: the blocks are what the threads share.
        const std::int64_t blocks = (plan.inner + kRowBlock - 1) / kRowBlock;
        std::vector<A> partial(static_cast<std::size_t>(blocks));
        for (std::int64_t o = 0; o < outputs; ++o) {
            const auto* base = src + plan.kept.offset(o);
            parallel_for(blocks, 2, 1, [&](std::int64_t begin, std::int64_t end) {
                for (std::int64_t b = begin; b < end; ++b) {
                    partial[static_cast<std::size_t>(b)] =
                        R::block(base + b * kRowBlock, std::min(kRowBlock, plan.inner - b * kRowBlock));
                }
            });
            A acc = partial[0];
            for (std::size_t b = 1; b < partial.size(); ++b) acc = R::C::apply(acc, partial[b]);
            put(o, acc);
        }
        return;
    }
    parallel_for(outputs, std::max<std::int64_t>(2, kGrain / std::max<std::int64_t>(work, 1)), 1,
                 [&](std::int64_t begin, std::int64_t end) {
                     for (std::int64_t o = begin; o < end; ++o) one(o);
                 });
}

/// Adds rows [first, last) of one outer index to acc[0 … width).
template <class Load, class A, Fold F>
void add_rows(const Plan& plan, const typename Load::Stored* base, std::int64_t first, std::int64_t last,
              std::int64_t width, A* acc) {
    using C = Combine<F, A>;
    for (std::int64_t c = 0; c < width; ++c) acc[c] = C::identity();
    for (std::int64_t r = first; r < last; ++r) {
        const auto* p = base + plan.reduced.offset(r);
        for (std::int64_t c = 0; c < width; ++c) acc[c] = C::apply(acc[c], static_cast<A>(Load::widen(p[c])));
    }
}

template <class Load, class A, Fold F, class Out>
void reduce_columns(const Plan& plan, const typename Load::Stored* src, Out&& put) {
    using C = Combine<F, A>;
    constexpr std::int64_t kTile = 256;  // columns whose partial results stay in the first cache
    const std::int64_t outer = plan.kept.count;
    const std::int64_t rows = plan.reduced.count;
    const std::int64_t tiles = (plan.inner + kTile - 1) / kTile;
    const std::int64_t blocks = std::max<std::int64_t>(1, (rows + kColumnBlock - 1) / kColumnBlock);
    const std::int64_t jobs = outer * tiles;
    auto tile = [&](std::int64_t job, std::int64_t& o, std::int64_t& column, std::int64_t& width) {
        o = job / tiles;
        column = job % tiles * kTile;
        width = std::min(kTile, plan.inner - column);
        return src + plan.kept.offset(o) + column;
    };
    if (jobs < 4 && blocks > 1) {
        // Few columns, many rows: the blocks of rows are what the threads share.
        std::vector<A> partial(static_cast<std::size_t>(blocks * kTile));
        for (std::int64_t job = 0; job < jobs; ++job) {
            std::int64_t o, column, width;
            const auto* base = tile(job, o, column, width);
            parallel_for(blocks, 2, 1, [&](std::int64_t begin, std::int64_t end) {
                for (std::int64_t b = begin; b < end; ++b) {
                    add_rows<Load, A, F>(plan, base, b * kColumnBlock, std::min(rows, (b + 1) * kColumnBlock), width,
                                         partial.data() + b * kTile);
                }
            });
            for (std::int64_t b = 1; b < blocks; ++b) {
                for (std::int64_t c = 0; c < width; ++c) {
                    partial[static_cast<std::size_t>(c)] = C::apply(partial[static_cast<std::size_t>(c)],
                                                                    partial[static_cast<std::size_t>(b * kTile + c)]);
                }
            }
            for (std::int64_t c = 0; c < width; ++c)
                put(o * plan.inner + column + c, partial[static_cast<std::size_t>(c)]);
        }
        return;
    }
    const std::int64_t work = rows * std::min(kTile, plan.inner);
    parallel_for(jobs, std::max<std::int64_t>(2, kGrain / std::max<std::int64_t>(work, 1)), 1,
                 [&](std::int64_t begin, std::int64_t end) {
                     A acc[kTile], more[kTile];
                     for (std::int64_t job = begin; job < end; ++job) {
                         std::int64_t o, column, width;
                         const auto* base = tile(job, o, column, width);
                         add_rows<Load, A, F>(plan, base, 0, std::min(rows, kColumnBlock), width, acc);
                         for (std::int64_t b = 1; b < blocks; ++b) {
                             add_rows<Load, A, F>(plan, base, b * kColumnBlock, std::min(rows, (b + 1) * kColumnBlock),
                                                  width, more);
                             for (std::int64_t c = 0; c < width; ++c) acc[c] = C::apply(acc[c], more[c]);
                         }
                         for (std::int64_t c = 0; c < width; ++c) put(o * plan.inner + column + c, acc[c]);
                     }
                 });
}

template <class Load, class A, Fold F>
void run(const KernelTensor& src, const KernelTensor& dst, const SmallVector<bool, 8>& reduced, bool mean) {
    const std::int64_t outputs = dst.count();
    if (outputs == 0) return;
    const Plan plan = plan_of(src.shape(), reduced);
    auto* out = dst.as<std::remove_cvref_t<decltype(Load::narrow(A{}))>>();
    const A divisor = static_cast<A>(plan.reduced_count);
    auto put = [&](std::int64_t o, A value) { out[o] = Load::narrow(mean ? value / divisor : value); };
    if (plan.reduced_count == 0) {
        for (std::int64_t o = 0; o < outputs; ++o) {
            if constexpr (std::is_floating_point_v<A>) {
                put(o, Combine<F, A>::identity());
            } else {
                out[o] = Load::narrow(Combine<F, A>::identity());
            }
        }
        return;
    }
    const auto* in = src.as<const typename Load::Stored>();
    if (plan.inner_reduced) {
        reduce_rows<Load, A, F>(plan, in, put);
    } else {
        reduce_columns<Load, A, F>(plan, in, put);
    }
}

template <Fold F>
void by_dtype(const KernelTensor& src, const KernelTensor& dst, const SmallVector<bool, 8>& reduced, bool mean) {
    constexpr bool wide = F == Fold::sum || F == Fold::prod;
    auto ints = [&]<class T>(T) {
        using A = std::conditional_t<wide, std::int64_t, T>;
        run<PlainLoad<T, A>, A, F>(src, dst, reduced, mean);
    };
    switch (src.dtype()) {
        case DType::Float32:
            return run<PlainLoad<float, float>, float, F>(src, dst, reduced, mean);
        case DType::Float64:
            return run<PlainLoad<double, double>, double, F>(src, dst, reduced, mean);
        case DType::Float16:
            return run<HalfLoad, float, F>(src, dst, reduced, mean);
        case DType::BFloat16:
            return run<BFloatLoad, float, F>(src, dst, reduced, mean);
        case DType::Int8:
            return ints(std::int8_t{});
        case DType::Int16:
            return ints(std::int16_t{});
        case DType::Int32:
            return ints(std::int32_t{});
        case DType::Int64:
            return ints(std::int64_t{});
        case DType::UInt8:
        case DType::Bool:
            return ints(std::uint8_t{});
    }
}

}  // namespace

void reduce(const KernelTensor& src, const KernelTensor& dst, const SmallVector<bool, 8>& reduced, Fold fold) {
    switch (fold) {
        case Fold::sum:
        case Fold::mean:
            return by_dtype<Fold::sum>(src, dst, reduced, fold == Fold::mean);
        case Fold::prod:
            return by_dtype<Fold::prod>(src, dst, reduced, false);
        case Fold::max:
            return by_dtype<Fold::max>(src, dst, reduced, false);
        case Fold::min:
            return by_dtype<Fold::min>(src, dst, reduced, false);
    }
}

}  // namespace fusescope::cpu
