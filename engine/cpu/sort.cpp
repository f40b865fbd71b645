#include "engine/cpu/sort.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "engine/core/convert.hpp"

namespace fusescope::cpu {
namespace {

// An order-preserving key of one element; halves and floats as double, NaN above all.
template <class T>
struct Key {
    T value;
    std::int64_t place;
};

template <class T>
bool before(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
        if (a != a) return false;
        if (b != b) return true;
    }
    return a < b;
}

}  // namespace

void sort_along(const KernelTensor& src, std::size_t axis, bool descending, std::int64_t count,
                const KernelTensor& values, const KernelTensor& indices) {
    const Shape& shape = src.shape();
    const std::int64_t extent = shape[axis];
    std::int64_t inner = 1;
    for (std::size_t k = axis + 1; k < shape.size(); ++k) inner *= shape[k];
    const std::int64_t lines = extent == 0 ? 0 : src.count() / extent;
    const bool partial = count < extent;
    visit_dtype(src.dtype(), [&](auto tag) {
        using Tag = decltype(tag);
        constexpr bool half = std::is_same_v<Tag, HalfTag> || std::is_same_v<Tag, BFloatTag>;
        using T = std::conditional_t<half, float, std::conditional_t<std::is_same_v<Tag, bool>, std::uint8_t, Tag>>;
        std::vector<Key<T>> keys(static_cast<std::size_t>(extent));
        for (std::int64_t line = 0; line < lines; ++line) {
            const std::int64_t base = line / inner * extent * inner + line % inner;
            for (std::int64_t i = 0; i < extent; ++i) {
                T v;
                if constexpr (half) {
                    v = static_cast<float>(load_double(src.dtype(), src.data, base + i * inner));
                } else {
                    v = static_cast<T>(src.as<const Tag>()[base + i * inner]);
                }
                keys[static_cast<std::size_t>(i)] = {v, i};
            }
            auto less = [&](const Key<T>& a, const Key<T>& b) {
                if (descending ? before(b.value, a.value) : before(a.value, b.value)) return true;
                if (descending ? before(a.value, b.value) : before(b.value, a.value)) return false;
                return a.place < b.place;
            };
            if (partial) {
                std::partial_sort(keys.begin(), keys.begin() + count, keys.end(), less);
            } else {
                std::sort(keys.begin(), keys.end(), less);
            }
            const std::int64_t out = line / inner * count * inner + line % inner;
            for (std::int64_t i = 0; i < count; ++i) {
                const Key<T>& key = keys[static_cast<std::size_t>(i)];
                const std::int64_t to = out + i * inner;
                if (values.data) {
                    if constexpr (half) {
                        store_double(src.dtype(), values.data, to, static_cast<double>(key.value));
                    } else {
                        values.as<Tag>()[to] = static_cast<Tag>(key.value);
                    }
                }
                if (indices.data) store_int(indices.dtype(), indices.data, to, key.place);
            }
        }
    });
}

}  // namespace fusescope::cpu
