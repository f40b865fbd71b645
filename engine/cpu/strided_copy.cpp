#include "engine/cpu/strided_copy.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "engine/cpu/parallel.hpp"

namespace fusescope::cpu {
namespace {

constexpr std::int64_t kGrain = 1 << 15;

struct Axis {
    std::int64_t extent, src, dst;
};

template <class T>
void copy_run(const T* src, std::int64_t src_stride, T* dst, std::int64_t dst_stride, std::int64_t n) {
    if (dst_stride == 1 && src_stride == 1) {
        std::memcpy(dst, src, static_cast<std::size_t>(n) * sizeof(T));
    } else if (dst_stride == 1 && src_stride == 0) {
        std::fill_n(dst, n, *src);
    } else {
        for (std::int64_t i = 0; i < n; ++i) dst[i * dst_stride] = src[i * src_stride];
    }
}

// A tile of a transposition: the destination is contiguous along j, the source along i.
template <class T>
void copy_tile(const T* src, std::int64_t src_j, T* dst, std::int64_t dst_i, std::int64_t rows, std::int64_t columns) {
    constexpr std::int64_t kSide = 64 / static_cast<std::int64_t>(sizeof(T)) < 8
                                       ? 8
                                       : std::min<std::int64_t>(16, 64 / static_cast<std::int64_t>(sizeof(T)));
    for (std::int64_t i0 = 0; i0 < rows; i0 += kSide) {
        for (std::int64_t j0 = 0; j0 < columns; j0 += kSide) {
            const std::int64_t i1 = std::min(rows, i0 + kSide);
            const std::int64_t j1 = std::min(columns, j0 + kSide);
            if (i1 - i0 == kSide && j1 - j0 == kSide) {
                T tile[kSide][kSide];
                for (std::int64_t j = 0; j < kSide; ++j)
                    std::memcpy(tile[j], src + i0 + (j0 + j) * src_j, sizeof tile[j]);
                for (std::int64_t i = 0; i < kSide; ++i) {
                    T* to = dst + (i0 + i) * dst_i + j0;
                    for (std::int64_t j = 0; j < kSide; ++j) to[j] = tile[j][i];
                }
                continue;
            }
            for (std::int64_t i = i0; i < i1; ++i) {
                for (std::int64_t j = j0; j < j1; ++j) dst[i * dst_i + j] = src[i + j * src_j];
            }
        }
    }
}

template <class T>
void copy(SmallVector<Axis, 8>& axes, const T* src, T* dst) {
    const Axis inner = axes.back();
    // A source that is contiguous along another axis is walked in tiles, so that whole cache lines are used.
    int other = -1;
    if (inner.dst == 1 && inner.src != 1 && inner.src != 0 && inner.extent >= 4) {
        for (std::size_t k = 0; k + 1 < axes.size(); ++k) {
            if (axes[k].src == 1 && axes[k].extent >= 4) other = static_cast<int>(k);
        }
    }
    Axis second{1, 0, 0};
    axes.pop_back();
    if (other >= 0) {
        second = axes[static_cast<std::size_t>(other)];
        axes.erase(axes.begin() + other);
    }
    // Tiled walks are cut into strips of rows, so that one large transposition is shared by the threads.
    constexpr std::int64_t kStrip = 64;
    const std::int64_t strips = (second.extent + kStrip - 1) / kStrip;
    std::int64_t outer = strips;
    for (const Axis& a : axes) outer *= a.extent;
    const std::int64_t work = inner.extent * std::min(second.extent, kStrip);
    auto body = [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t job = begin; job < end; ++job) {
            const std::int64_t strip = job % strips;
            std::int64_t rest = job / strips;
            const T* s = src + strip * kStrip * second.src;
            T* d = dst + strip * kStrip * second.dst;
            for (std::size_t k = axes.size(); k-- > 0;) {
                const std::int64_t at = rest % axes[k].extent;
                rest /= axes[k].extent;
                s += at * axes[k].src;
                d += at * axes[k].dst;
            }
            if (other >= 0) {
                copy_tile(s, inner.src, d, second.dst, std::min(kStrip, second.extent - strip * kStrip), inner.extent);
            } else {
                copy_run(s, inner.src, d, inner.dst, inner.extent);
            }
        }
    };
    if (outer == 1 && inner.extent >= kGrain) {
        parallel_for(inner.extent, kGrain, 64, [&](std::int64_t begin, std::int64_t end) {
            copy_run(src + begin * inner.src, inner.src, dst + begin * inner.dst, inner.dst, end - begin);
        });
        return;
    }
    parallel_for(outer, std::max<std::int64_t>(2, kGrain / work), 1, body);
}

}  // namespace

void copy_strided(const Shape& shape, const void* src, const Ints& src_strides, void* dst, const Ints& dst_strides,
                  std::size_t size) {
    if (shape.count() == 0) return;
    SmallVector<Axis, 8> axes;
    for (std::size_t k = 0; k < shape.size(); ++k) {
        if (shape[k] == 1) continue;
        const Axis a{shape[k], src_strides[k], dst_strides[k]};
        if (!axes.empty() && axes.back().src == a.src * a.extent && axes.back().dst == a.dst * a.extent) {
            axes.back() = {axes.back().extent * a.extent, a.src, a.dst};
        } else {
            axes.push_back(a);
        }
    }
    if (axes.empty()) axes.push_back({1, 1, 1});
    switch (size) {
        case 1:
            return copy(axes, static_cast<const std::uint8_t*>(src), static_cast<std::uint8_t*>(dst));
        case 2:
            return copy(axes, static_cast<const std::uint16_t*>(src), static_cast<std::uint16_t*>(dst));
        case 4:
            return copy(axes, static_cast<const std::uint32_t*>(src), static_cast<std::uint32_t*>(dst));
        default:
            return copy(axes, static_cast<const std::uint64_t*>(src), static_cast<std::uint64_t*>(dst));
    }
}

}  // namespace fusescope::cpu
