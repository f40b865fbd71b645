#include "engine/cpu/elementwise.hpp"

#include <algorithm>

#include "engine/cpu/parallel.hpp"

namespace fusescope::cpu {
namespace {

// Elements below which a second thread costs more than it brings.
constexpr std::int64_t kGrain = 1 << 15;

struct Axis {
    std::int64_t extent;
    std::int64_t step[kMaxOperands];  // elements of operand i per step of this axis
};

}  // namespace

void for_each_run(std::span<const KernelTensor> in, const KernelTensor& out, const Attrs& attrs, RunFn run) {
    const std::int64_t n = out.count();
    if (n == 0) return;
    const int operands = static_cast<int>(in.size());
    const void* base[kMaxOperands];
    std::int64_t size[kMaxOperands];
    bool splat[kMaxOperands];
    bool flat = true;
    for (int i = 0; i < operands; ++i) {
        base[i] = in[i].data;
        size[i] = static_cast<std::int64_t>(size_of(in[i].dtype()));
        const std::int64_t count = in[i].count();
        splat[i] = count == 1 && n != 1;
        flat = flat && (count == n || count == 1);
    }
    char* const dst = static_cast<char*>(out.data);
    const std::int64_t dst_size = static_cast<std::int64_t>(size_of(out.dtype()));
    if (flat) {
        parallel_for(n, kGrain, 64, [&](std::int64_t begin, std::int64_t end) {
            const void* p[kMaxOperands];
            for (int i = 0; i < operands; ++i) {
                p[i] = splat[i] ? base[i] : static_cast<const char*>(base[i]) + begin * size[i];
            }
            run(p, splat, dst + begin * dst_size, end - begin, attrs);
        });
        return;
    }
    // Merge neighbouring axes that every operand walks alike, so that the innermost run is as long as it can be.
    SmallVector<Axis, 8> axes;
    const Shape& shape = out.shape();
    for (int k = 0; k < shape.rank(); ++k) {
        Axis a{shape[static_cast<std::size_t>(k)], {}};
        if (a.extent == 1) continue;
        for (int i = 0; i < operands; ++i) {
            const Shape& s = in[i].shape();
            const int own = k - (shape.rank() - s.rank());
            std::int64_t stride = 0;
            if (own >= 0 && s[static_cast<std::size_t>(own)] != 1) {
                stride = 1;
                for (int j = own + 1; j < s.rank(); ++j) stride *= s[static_cast<std::size_t>(j)];
            }
            a.step[i] = stride;
        }
        if (!axes.empty()) {
            Axis& last = axes.back();
            bool mergeable = true;
            for (int i = 0; i < operands; ++i) mergeable = mergeable && last.step[i] == a.step[i] * a.extent;
            if (mergeable) {
                for (int i = 0; i < operands; ++i) last.step[i] = a.step[i];
                last.extent *= a.extent;
                continue;
            }
        }
        axes.push_back(a);
    }
    const Axis inner = axes.back();
    axes.pop_back();
    bool inner_splat[kMaxOperands];
    for (int i = 0; i < operands; ++i) inner_splat[i] = inner.step[i] == 0;
    const std::int64_t outer = n / inner.extent;
    parallel_for(outer, std::max<std::int64_t>(2, kGrain / inner.extent), 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t row = begin; row < end; ++row) {
            std::int64_t offset[kMaxOperands] = {};
            std::int64_t rest = row;
            for (std::size_t k = axes.size(); k-- > 0;) {
                const std::int64_t at = rest % axes[k].extent;
                rest /= axes[k].extent;
                for (int i = 0; i < operands; ++i) offset[i] += at * axes[k].step[i];
            }
            const void* p[kMaxOperands];
            for (int i = 0; i < operands; ++i) p[i] = static_cast<const char*>(base[i]) + offset[i] * size[i];
            run(p, inner_splat, dst + row * inner.extent * dst_size, inner.extent, attrs);
        }
    });
}

}  // namespace fusescope::cpu
