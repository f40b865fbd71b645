#include "engine/cpu/argreduce.hpp"

#include <algorithm>

#include "engine/core/convert.hpp"
#include "engine/cpu/parallel.hpp"

namespace fusescope::cpu {

void arg_reduce(const KernelTensor& src, std::int64_t outer, std::int64_t extent, std::int64_t inner, bool largest,
                const KernelTensor& places, const KernelTensor& values) {
    auto* out = places.as<std::int64_t>();
    visit_dtype(src.dtype(), [&](auto tag) {
        using Tag = decltype(tag);
        constexpr bool half = std::is_same_v<Tag, HalfTag> || std::is_same_v<Tag, BFloatTag>;
        using T = std::conditional_t<half, float, std::conditional_t<std::is_same_v<Tag, bool>, std::uint8_t, Tag>>;
        auto load = [&](std::int64_t i) -> T {
            if constexpr (half) {
                return static_cast<float>(load_double(src.dtype(), src.data, i));
            } else {
                return static_cast<T>(src.as<const Tag>()[i]);
            }
        };
        auto beats = [&](T a, T b) {
            if constexpr (std::is_floating_point_v<T>) {
                if (b != b) return false;
                if (a != a) return true;
            }
            return largest ? a > b : a < b;
        };
        parallel_for(outer * inner, std::max<std::int64_t>(2, (1 << 15) / std::max<std::int64_t>(extent, 1)), 1,
                     [&](std::int64_t begin, std::int64_t end) {
                         for (std::int64_t line = begin; line < end; ++line) {
                             const std::int64_t base = line / inner * extent * inner + line % inner;
                             T best = load(base);
                             std::int64_t place = 0;
                             for (std::int64_t i = 1; i < extent; ++i) {
                                 const T v = load(base + i * inner);
                                 if (beats(v, best)) {
                                     best = v;
                                     place = i;
                                 }
                             }
                             out[line] = place;
                             if (values.data) {
                                 if constexpr (half) {
                                     store_double(src.dtype(), values.data, line, static_cast<double>(best));
                                 } else {
                                     values.as<Tag>()[line] = static_cast<Tag>(best);
                                 }
                             }
                         }
                     });
    });
}

}  // namespace fusescope::cpu
