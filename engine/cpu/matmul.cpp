#include "engine/cpu/matmul.hpp"

#include <dnnl.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "engine/core/half.hpp"
#include "engine/cpu/parallel.hpp"

namespace fusescope::cpu {
namespace {

// One product: row strides of the stored operands.
struct Gemm {
    std::int64_t m, n, k;
    bool ta, tb;
    std::int64_t lda() const { return ta ? m : k; }
    std::int64_t ldb() const { return tb ? k : n; }
};

void gemm_f32(const Gemm& g, const float* a, const float* b, float* c) {
    dnnl_sgemm(g.ta ? 'T' : 'N', g.tb ? 'T' : 'N', g.m, g.n, g.k, 1.0f, a, std::max<std::int64_t>(1, g.lda()), b,
               std::max<std::int64_t>(1, g.ldb()), 0.0f, c, std::max<std::int64_t>(1, g.n));
}

// Blocks of kRows x kColumns of the product stay in registers and L1 while k runs, in order, so that each element is
// the sum over k from the first to the last.
template <class T>
void gemm_rows(const Gemm& g, const T* a, const T* b, T* c, std::int64_t row_begin, std::int64_t row_end) {
    constexpr std::int64_t kRows = 4, kColumns = 32;
    T packed[kColumns];
    for (std::int64_t i0 = row_begin; i0 < row_end; i0 += kRows) {
        const std::int64_t rows = std::min(kRows, row_end - i0);
        for (std::int64_t j0 = 0; j0 < g.n; j0 += kColumns) {
            const std::int64_t columns = std::min(kColumns, g.n - j0);
            T sum[kRows][kColumns] = {};
            for (std::int64_t p = 0; p < g.k; ++p) {
                const T* line;
                if (g.tb) {
                    for (std::int64_t j = 0; j < columns; ++j) packed[j] = b[(j0 + j) * g.k + p];
                    line = packed;
                } else {
                    line = b + p * g.n + j0;
                }
                for (std::int64_t i = 0; i < rows; ++i) {
                    const T x = g.ta ? a[p * g.m + i0 + i] : a[(i0 + i) * g.k + p];
                    for (std::int64_t j = 0; j < columns; ++j) sum[i][j] = static_cast<T>(sum[i][j] + x * line[j]);
                }
            }
            for (std::int64_t i = 0; i < rows; ++i) std::copy_n(sum[i], columns, c + (i0 + i) * g.n + j0);
        }
    }
}

template <class T>
void gemm_own(const Gemm& g, const T* a, const T* b, T* c) {
    const std::int64_t work = std::max<std::int64_t>(1, g.n * g.k);
    parallel_for(g.m, std::max<std::int64_t>(2, (1 << 16) / work), 4,
                 [&](std::int64_t begin, std::int64_t end) { gemm_rows(g, a, b, c, begin, end); });
}

template <class T>
void finish_rows(T* c, std::int64_t rows, std::int64_t n, const T* bias, bool relu) {
    const std::int64_t grain = std::max<std::int64_t>(2, (1 << 15) / std::max<std::int64_t>(1, n));
    parallel_for(rows, grain, 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
            T* row = c + i * n;
            if (bias) {
                for (std::int64_t j = 0; j < n; ++j) row[j] = static_cast<T>(row[j] + bias[j]);
            }
            if (relu) {
                for (std::int64_t j = 0; j < n; ++j) row[j] = row[j] > T{0} || row[j] != row[j] ? row[j] : T{0};
            }
        }
    });
}

// Calls f(index of a, index of b, index of c) for each product of the batch, in order.
template <class F>
void for_each_product(const MatMulShape& p, std::int64_t begin, std::int64_t end, F&& f) {
    const int rank = p.batch.rank();
    for (std::int64_t at = begin; at < end; ++at) {
        std::int64_t rest = at, ia = 0, ib = 0, step_a = 1, step_b = 1;
        for (int k = rank; k-- > 0;) {
            const std::int64_t extent = p.batch[static_cast<std::size_t>(k)];
            const std::int64_t here = rest % extent;
            rest /= extent;
            const int ka = k - (rank - p.batch_a.rank()), kb = k - (rank - p.batch_b.rank());
            const std::int64_t ea = ka >= 0 ? p.batch_a[static_cast<std::size_t>(ka)] : 1;
            const std::int64_t eb = kb >= 0 ? p.batch_b[static_cast<std::size_t>(kb)] : 1;
            if (ea != 1) ia += here * step_a;
            if (eb != 1) ib += here * step_b;
            step_a *= ea;
            step_b *= eb;
        }
        f(ia, ib, at);
    }
}

template <class T, class G>
void all_products(const MatMulShape& p, Gemm g, const T* a, const T* b, T* c, G&& gemm) {
    std::int64_t count = p.batch.count();
    if (count == 0 || g.m == 0 || g.n == 0) return;
    if (g.k == 0) {
        std::fill_n(c, count * g.m * g.n, T{0});
        return;
    }
    if (count > 1 && !g.ta && p.batch_b.count() == 1 && p.batch_a.count() == count) {
        // One right operand for all: the batch is nothing but more rows.
        g.m *= count;
        count = 1;
    }
    if (count == 1) return gemm(g, a, b, c);
    auto part = [&](std::int64_t begin, std::int64_t end) {
        for_each_product(p, begin, end, [&](std::int64_t ia, std::int64_t ib, std::int64_t ic) {
            gemm(g, a + ia * g.m * g.k, b + ib * g.k * g.n, c + ic * g.m * g.n);
        });
    };
    // Several small products: each thread takes some whole ones. Few large ones: all threads share each.
    if (count >= 2 * thread_count()) {
        parallel_for(count, (1 << 15) / std::max<std::int64_t>(1, g.m * g.n * g.k) + 2, 1, part);
    } else {
        part(0, count);
    }
}

template <class T>
void plain(const MatMulShape& p, const Gemm& g, const void* a, const void* b, void* c, const Epilogue& e) {
    T* out = static_cast<T*>(c);
    if constexpr (std::is_same_v<T, float>) {
        all_products(p, g, static_cast<const T*>(a), static_cast<const T*>(b), out, gemm_f32);
    } else {
        all_products(p, g, static_cast<const T*>(a), static_cast<const T*>(b), out, gemm_own<T>);
    }
    if (e.bias || e.relu) finish_rows(out, p.batch.count() * g.m, g.n, static_cast<const T*>(e.bias), e.relu);
}

// Buffers for widened operands stay with the thread that asks, so that steady state asks the system for nothing.
float* widened(int which, std::int64_t count) {
    thread_local std::vector<float> buffers[4];
    std::vector<float>& v = buffers[which];
    if (static_cast<std::int64_t>(v.size()) < count) v.resize(static_cast<std::size_t>(count));
    return v.data();
}

template <class Widen, class Narrow>
void through_float(const MatMulShape& p, const Gemm& g, const void* a, const void* b, void* c, const Epilogue& e,
                   Widen widen, Narrow narrow) {
    auto load = [&](int which, const void* from, std::int64_t count) {
        float* to = widened(which, count);
        const std::uint16_t* bits = static_cast<const std::uint16_t*>(from);
        parallel_for(count, 1 << 15, 64, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = begin; i < end; ++i) to[i] = widen(bits[i]);
        });
        return to;
    };
    const std::int64_t count = p.batch.count() * g.m * g.n;
    const float* wa = load(0, a, p.batch_a.count() * g.m * g.k);
    const float* wb = load(1, b, p.batch_b.count() * g.k * g.n);
    Epilogue wide{e.bias ? load(2, e.bias, g.n) : nullptr, e.relu};
    float* wc = widened(3, count);
    plain<float>(p, g, wa, wb, wc, wide);
    std::uint16_t* out = static_cast<std::uint16_t*>(c);
    parallel_for(count, 1 << 15, 64, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) out[i] = narrow(wc[i]);
    });
}

}  // namespace

void matmul(DType dtype, const MatMulShape& p, const void* a, const void* b, void* c, const Epilogue& e) {
    const Gemm g{p.m, p.n, p.k, p.transpose_a, p.transpose_b};
    switch (dtype) {
        case DType::Float32:
            return plain<float>(p, g, a, b, c, e);
        case DType::Float64:
            return plain<double>(p, g, a, b, c, e);
        case DType::Int8:
            return plain<std::int8_t>(p, g, a, b, c, e);
        case DType::Int16:
            return plain<std::int16_t>(p, g, a, b, c, e);
        case DType::Int32:
            return plain<std::int32_t>(p, g, a, b, c, e);
        case DType::Int64:
            return plain<std::int64_t>(p, g, a, b, c, e);
        case DType::UInt8:
        case DType::Bool:
            return plain<std::uint8_t>(p, g, a, b, c, e);
        case DType::Float16:
            return through_float(p, g, a, b, c, e, half_to_float, float_to_half);
        case DType::BFloat16:
            return through_float(p, g, a, b, c, e, bfloat_to_float, float_to_bfloat);
    }
}

}  // namespace fusescope::cpu
