#include "engine/cpu/gemm_thin.hpp"

#include <algorithm>
#include <cstring>

#include "engine/core/allocator.hpp"
#include "engine/cpu/parallel.hpp"

#if defined(__AVX2__) && defined(__FMA__)
#include <immintrin.h>

namespace fusescope::cpu {
namespace {

constexpr std::int64_t kFewRows = 64;       // m up to which an operand of many rows is not worth packing as oneDNN does
constexpr std::int64_t kFewTerms = 64;      // k up to which writing the result dominates
constexpr std::int64_t kWorthwhile = 4096;  // multiplications below which nothing matters
constexpr int kRows = 6, kColumns = 16;     // a tile: 12 accumulators, 2 loads of b, 1 broadcast of a
constexpr std::int64_t kDepth = 256;        // a panel of b of this depth takes half of the L1

float sum_of(__m256 v) {
    __m128 s = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
    s = _mm_add_ps(s, _mm_movehl_ps(s, s));
    return _mm_cvtss_f32(_mm_add_ss(s, _mm_movehdup_ps(s)));
}

// Rows x Columns dot products of length k: 8 partial sums each, then the tail term by term.
template <int Rows, int Columns>
void dots(const float* a, const float* b, std::int64_t k, float* c, std::int64_t ldc) {
    __m256 sum[Rows][Columns];
    for (int i = 0; i < Rows; ++i)
        for (int j = 0; j < Columns; ++j) sum[i][j] = _mm256_setzero_ps();
    std::int64_t p = 0;
    for (; p + 8 <= k; p += 8) {
        __m256 x[Rows];
        for (int i = 0; i < Rows; ++i) x[i] = _mm256_loadu_ps(a + i * k + p);
        for (int j = 0; j < Columns; ++j) {
            const __m256 w = _mm256_loadu_ps(b + j * k + p);
            for (int i = 0; i < Rows; ++i) sum[i][j] = _mm256_fmadd_ps(x[i], w, sum[i][j]);
        }
    }
    for (int i = 0; i < Rows; ++i) {
        for (int j = 0; j < Columns; ++j) {
            float s = sum_of(sum[i][j]);
            for (std::int64_t q = p; q < k; ++q) s = __builtin_fmaf(a[i * k + q], b[j * k + q], s);
            c[i * ldc + j] = s;
        }
    }
}

template <int Columns>
void dots_of_all_rows(std::int64_t m, std::int64_t k, const float* a, const float* b, float* c, std::int64_t ldc) {
    std::int64_t i = 0;
    for (; i + 3 <= m; i += 3) dots<3, Columns>(a + i * k, b, k, c + i * ldc, ldc);
    if (m - i == 2) dots<2, Columns>(a + i * k, b, k, c + i * ldc, ldc);
    if (m - i == 1) dots<1, Columns>(a + i * k, b, k, c + i * ldc, ldc);
}

void by_dots(std::int64_t m, std::int64_t n, std::int64_t k, const float* a, const float* b, float* c) {
    parallel_for(n, std::max<std::int64_t>(8, (1 << 16) / std::max<std::int64_t>(1, m * k)), 4,
                 [&](std::int64_t begin, std::int64_t end) {
                     std::int64_t j = begin;
                     for (; j + 4 <= end; j += 4) dots_of_all_rows<4>(m, k, a, b + j * k, c + j, n);
                     for (; j < end; ++j) dots_of_all_rows<1>(m, k, a, b + j * k, c + j, n);
                 });
}

// One tile of Rows rows: a in steps of kRows, b in steps of kColumns; adds to c when `add`.
template <int Rows>
void tile(const float* a, const float* b, std::int64_t k, float* c, std::int64_t ldc, bool add, std::int64_t columns) {
    __m256 sum[Rows][2];
    for (int i = 0; i < Rows; ++i) sum[i][0] = sum[i][1] = _mm256_setzero_ps();
    for (std::int64_t p = 0; p < k; ++p) {
        const __m256 b0 = _mm256_load_ps(b + p * kColumns), b1 = _mm256_load_ps(b + p * kColumns + 8);
        for (int i = 0; i < Rows; ++i) {
            const __m256 x = _mm256_broadcast_ss(a + p * kRows + i);
            sum[i][0] = _mm256_fmadd_ps(x, b0, sum[i][0]);
            sum[i][1] = _mm256_fmadd_ps(x, b1, sum[i][1]);
        }
    }
    if (columns == kColumns) {
        for (int i = 0; i < Rows; ++i) {
            float* row = c + i * ldc;
            if (add) {
                sum[i][0] = _mm256_add_ps(_mm256_loadu_ps(row), sum[i][0]);
                sum[i][1] = _mm256_add_ps(_mm256_loadu_ps(row + 8), sum[i][1]);
            }
            _mm256_storeu_ps(row, sum[i][0]);
            _mm256_storeu_ps(row + 8, sum[i][1]);
        }
        return;
    }
    alignas(32) float edge[kColumns];
    for (int i = 0; i < Rows; ++i) {
        _mm256_store_ps(edge, sum[i][0]);
        _mm256_store_ps(edge + 8, sum[i][1]);
        float* row = c + i * ldc;
        for (std::int64_t j = 0; j < columns; ++j) row[j] = add ? row[j] + edge[j] : edge[j];
    }
}

void tile_of(std::int64_t rows, const float* a, const float* b, std::int64_t k, float* c, std::int64_t ldc, bool add,
             std::int64_t columns) {
    switch (rows) {
        case 6:
            return tile<6>(a, b, k, c, ldc, add, columns);
        case 5:
            return tile<5>(a, b, k, c, ldc, add, columns);
        case 4:
            return tile<4>(a, b, k, c, ldc, add, columns);
        case 3:
            return tile<3>(a, b, k, c, ldc, add, columns);
        case 2:
            return tile<2>(a, b, k, c, ldc, add, columns);
        default:
            return tile<1>(a, b, k, c, ldc, add, columns);
    }
}

// Rows i0 … of op(a) as steps of kRows.
void pack_rows(std::int64_t m, std::int64_t k, bool ta, const float* a, std::int64_t i0, std::int64_t p0,
               std::int64_t depth, float* to) {
    const std::int64_t rows = std::min<std::int64_t>(kRows, m - i0);
    if (rows < kRows) std::memset(to, 0, static_cast<std::size_t>(depth * kRows) * sizeof(float));
    if (ta) {
        for (std::int64_t p = 0; p < depth; ++p)
            for (std::int64_t i = 0; i < rows; ++i) to[p * kRows + i] = a[(p0 + p) * m + i0 + i];
    } else {
        for (std::int64_t i = 0; i < rows; ++i)
            for (std::int64_t p = 0; p < depth; ++p) to[p * kRows + i] = a[(i0 + i) * k + p0 + p];
    }
}

void pack_columns(std::int64_t n, const float* b, std::int64_t j0, std::int64_t p0, std::int64_t depth, float* to) {
    const std::int64_t columns = std::min<std::int64_t>(kColumns, n - j0);
    for (std::int64_t p = 0; p < depth; ++p) {
        const float* from = b + (p0 + p) * n + j0;
        float* line = to + p * kColumns;
        if (columns == kColumns) {
            std::memcpy(line, from, kColumns * sizeof(float));
        } else {
            for (std::int64_t j = 0; j < kColumns; ++j) line[j] = j < columns ? from[j] : 0.0f;
        }
    }
}

StorageRef buffer(std::int64_t floats) {
    return StorageRef(allocator::allocate(static_cast<std::size_t>(floats) * sizeof(float), DeviceKind::cpu));
}
float* floats_of(StorageRef& s) { return static_cast<float*>(s->data()); }

// Few terms: both operands are packed whole, then rows of tiles are written from left to right.
void few_terms(std::int64_t m, std::int64_t n, std::int64_t k, bool ta, const float* a, const float* b, float* c) {
    const std::int64_t row_tiles = (m + kRows - 1) / kRows, column_tiles = (n + kColumns - 1) / kColumns;
    StorageRef held = buffer(column_tiles * kColumns * k);
    float* pb = floats_of(held);
    parallel_for(column_tiles, 64, 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t t = begin; t < end; ++t) pack_columns(n, b, t * kColumns, 0, k, pb + t * kColumns * k);
    });
    parallel_for(row_tiles, std::max<std::int64_t>(2, (1 << 14) / std::max<std::int64_t>(1, n * k)), 1,
                 [&](std::int64_t begin, std::int64_t end) {
                     alignas(32) float pa[kRows * kFewTerms];
                     for (std::int64_t t = begin; t < end; ++t) {
                         const std::int64_t i = t * kRows;
                         pack_rows(m, k, ta, a, i, 0, k, pa);
                         for (std::int64_t u = 0; u < column_tiles; ++u) {
                             const std::int64_t j = u * kColumns;
                             tile_of(std::min<std::int64_t>(kRows, m - i), pa, pb + j * k, k, c + i * n + j, n, false,
                                     std::min<std::int64_t>(kColumns, n - j));
                         }
                     }
                 });
}

// Few rows: all of op(a) is packed, then each panel of b meets all rows while it is in the L1.
void few_rows(std::int64_t m, std::int64_t n, std::int64_t k, bool ta, const float* a, const float* b, float* c) {
    const std::int64_t row_tiles = (m + kRows - 1) / kRows, column_tiles = (n + kColumns - 1) / kColumns;
    StorageRef held = buffer(row_tiles * kRows * k);
    float* pa = floats_of(held);
    for (std::int64_t t = 0; t < row_tiles; ++t) pack_rows(m, k, ta, a, t * kRows, 0, k, pa + t * kRows * k);
    parallel_for(column_tiles, std::max<std::int64_t>(2, (1 << 14) / std::max<std::int64_t>(1, m * k)), 1,
                 [&](std::int64_t begin, std::int64_t end) {
                     alignas(32) float panel[kDepth * kColumns];
                     for (std::int64_t u = begin; u < end; ++u) {
                         const std::int64_t j = u * kColumns;
                         for (std::int64_t p = 0; p < k; p += kDepth) {
                             const std::int64_t depth = std::min(kDepth, k - p);
                             pack_columns(n, b, j, p, depth, panel);
                             for (std::int64_t t = 0; t < row_tiles; ++t) {
                                 const std::int64_t i = t * kRows;
                                 tile_of(std::min<std::int64_t>(kRows, m - i), pa + t * kRows * k + p * kRows, panel,
                                         depth, c + i * n + j, n, p > 0, std::min<std::int64_t>(kColumns, n - j));
                             }
                         }
                     }
                 });
}

}  // namespace

bool gemm_thin_suits(std::int64_t m, std::int64_t n, std::int64_t k, bool transpose_a, bool transpose_b) noexcept {
    if (m * n * k < kWorthwhile) return !transpose_a && transpose_b;
    if (transpose_b) return !transpose_a && m <= kFewRows;
    return m <= kFewRows || k <= kFewTerms;
}

void gemm_thin(std::int64_t m, std::int64_t n, std::int64_t k, bool transpose_a, bool transpose_b, const float* a,
               const float* b, float* c) {
    if (transpose_b) return by_dots(m, n, k, a, b, c);
    if (k <= kFewTerms) return few_terms(m, n, k, transpose_a, a, b, c);
    few_rows(m, n, k, transpose_a, a, b, c);
}

}  // namespace fusescope::cpu

#else

namespace fusescope::cpu {

bool gemm_thin_suits(std::int64_t, std::int64_t, std::int64_t, bool, bool) noexcept { return false; }
void gemm_thin(std::int64_t, std::int64_t, std::int64_t, bool, bool, const float*, const float*, float*) {}

}  // namespace fusescope::cpu

#endif
