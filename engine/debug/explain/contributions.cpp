// Which elements take part in one element of a result, for ops that are neither elementwise nor along an axis.
#include "engine/debug/explain/contributions.hpp"

#include "engine/core/broadcast.hpp"
#include "engine/debug/telling.hpp"
#include "engine/ops/matmul_shape.hpp"
#include "engine/ops/op_ids.hpp"
#include "engine/ops/window.hpp"

namespace fusescope::debug {
namespace {

using Found = std::vector<Source>;
using Inputs = std::span<const Tensor>;

void append(Found& found, const Found& more) { found.insert(found.end(), more.begin(), more.end()); }

Source one(Inputs in, std::size_t operand, std::int64_t index) {
    return {operand, index, number_at(in[operand], index), 1, false, false};
}

// Where the batch of a product lies in an operand whose leading extents broadcast to it.
std::int64_t batch_of(const std::vector<std::int64_t>& at, const Shape& extents) {
    std::int64_t flat = 0;
    for (std::size_t k = 0; k < extents.size(); ++k) {
        flat = flat * extents[k] + (extents[k] == 1 ? 0 : at[at.size() - extents.size() + k]);
    }
    return flat;
}

Found of_matmul(const OpDef& op, const Attrs& attrs, Inputs in, const Tensor& out, std::int64_t flat) {
    const cpu::MatMulShape s =
        plan_matmul(op.name(), in[0].shape(), in[1].shape(), attrs.boolean(0), attrs.boolean(1)).shape;
    const std::int64_t row = flat / s.n % s.m, column = flat % s.n;
    const std::vector<std::int64_t> batch = index_of(flat / (s.m * s.n), s.batch);
    const std::int64_t a0 = batch_of(batch, s.batch_a) * s.m * s.k, b0 = batch_of(batch, s.batch_b) * s.k * s.n;
    TellingPair pair(number_at(out, flat));
    for (std::int64_t k = 0; k < s.k; ++k) {
        const std::int64_t a = a0 + (s.transpose_a ? k * s.m + row : row * s.k + k);
        const std::int64_t b = b0 + (s.transpose_b ? column * s.k + k : k * s.n + column);
        pair.offer(number_at(in[0], a), a, number_at(in[1], b), b);
    }
    return pair.sources();
}

Found of_conv(const Attrs& attrs, Inputs in, const Tensor& out, std::int64_t flat) {
    const cpu::ConvShape s = window::conv_shape(in[0].shape().size() - 2, in[0].shape(), in[1].shape(), attrs);
    const std::vector<std::int64_t> at = index_of(flat, out.shape());
    const std::int64_t per_group = s.ic / s.groups, first = at[1] / (s.oc / s.groups) * per_group;
    const std::int64_t depth = at.size() == 5 ? at[2] : 0, row = at[at.size() - 2], column = at.back();
    const std::int64_t kernel = s.kd * s.kh * s.kw;
    TellingPair pair(number_at(out, flat));
    for (std::int64_t c = 0; c < per_group; ++c) {
        for (std::int64_t k = 0; k < kernel; ++k) {
            const std::int64_t z = depth * s.sd - s.front + k / (s.kh * s.kw) * s.dd;
            const std::int64_t y = row * s.sh - s.top + k / s.kw % s.kh * s.dh;
            const std::int64_t x = column * s.sw - s.left + k % s.kw * s.dw;
            if (z < 0 || z >= s.id || y < 0 || y >= s.ih || x < 0 || x >= s.iw) continue;
            const std::int64_t a = (((at[0] * s.ic + first + c) * s.id + z) * s.ih + y) * s.iw + x;
            const std::int64_t b = (at[1] * per_group + c) * kernel + k;
            pair.offer(number_at(in[0], a), a, number_at(in[1], b), b);
        }
    }
    Found found = pair.sources();
    if (in.size() > 2 && in[2].defined() && !std::isfinite(number_at(in[2], at[1]))) found.push_back(one(in, 2, at[1]));
    return found;
}

Found of_pool(const OpDef& op, const Attrs& attrs, Inputs in, const Tensor& out, std::int64_t flat) {
    const cpu::PoolShape s = window::pool_shape(op.name(), in[0].shape(), attrs);
    const std::int64_t plane = flat / (s.oh * s.ow), oy = flat / s.ow % s.oh, ox = flat % s.ow;
    Telling telling(0, number_at(out, flat));
    for (std::int64_t h = 0; h < s.kh; ++h) {
        for (std::int64_t w = 0; w < s.kw; ++w) {
            const std::int64_t y = oy * s.sh - s.top + h, x = ox * s.sw - s.left + w;
            if (y < 0 || y >= s.ih || x < 0 || x >= s.iw) continue;
            const std::int64_t i = (plane * s.ih + y) * s.iw + x;
            telling.offer(number_at(in[0], i), i);
        }
    }
    return telling.sources();
}

// Attributes: axis, exclusive, reverse.
Found of_scan(const OpDef& op, const Attrs& attrs, Inputs in, const Tensor& out, std::int64_t flat) {
    const Shape& shape = in[0].shape();
    if (shape.size() == 0) return {one(in, 0, 0)};
    const auto axis = static_cast<std::size_t>(normalize_axis(op.name(), attrs.integer(0), shape.rank()));
    std::int64_t inner = 1;
    for (std::size_t k = axis + 1; k < shape.size(); ++k) inner *= shape[k];
    const std::int64_t extent = shape[axis], place = flat / inner % extent, base = flat - place * inner;
    const bool exclusive = attrs.boolean(1), reverse = attrs.boolean(2);
    Telling telling(0, number_at(out, flat), op.id == op::cumprod);
    for (std::int64_t i = 0; i < extent; ++i) {
        const bool before = reverse ? i > place : i < place;
        if (before || (i == place && !exclusive)) telling.offer(number_at(in[0], base + i * inner), base + i * inner);
    }
    return telling.sources();
}

// Operands x, gamma, beta; results y, mean and 1/std of each row.
Found of_layer_norm(Inputs in, const Tensor& out, std::int64_t flat) {
    const std::int64_t n = in[1].count();
    if (n == 0) return {};
    const bool statistic = out.shape() != in[0].shape();
    const std::int64_t row = statistic ? flat : flat / n;
    Telling telling(0, number_at(out, flat));
    for (std::int64_t i = row * n; i < (row + 1) * n; ++i) telling.offer(number_at(in[0], i), i);
    Found found = telling.sources();
    if (!statistic) append(found, {one(in, 1, flat % n), one(in, 2, flat % n)});
    return found;
}

// Operands x, scale, bias, mean, variance; results y and the statistics of each channel. Those given are not read in
// training.
Found of_batch_norm(const Attrs& attrs, Inputs in, const Tensor& out, std::int64_t flat) {
    const Shape& shape = in[0].shape();
    const bool training = attrs.boolean(0), statistic = out.shape() != shape;
    std::int64_t inner = 1;
    for (std::size_t k = 2; k < shape.size(); ++k) inner *= shape[k];
    const std::int64_t channels = shape[1], channel = statistic ? flat : flat / inner % channels;
    Found found;
    if (training) {
        Telling telling(0, number_at(out, flat));
        for (std::int64_t i = 0; i < in[0].count(); ++i) {
            if (i / inner % channels == channel) telling.offer(number_at(in[0], i), i);
        }
        found = telling.sources();
    } else if (!statistic) {
        found = {one(in, 0, flat)};
    }
    if (!statistic) append(found, {one(in, 1, channel), one(in, 2, channel)});
    if (!training) append(found, {one(in, 3, channel), one(in, 4, channel)});
    return found;
}

}  // namespace

std::optional<std::vector<Source>> contributions_of(const OpDef& op, const Attrs& attrs, Inputs in, const Tensor& out,
                                                    std::int64_t flat) {
    if (in.empty() || !in[0].defined()) return std::nullopt;
    if (op.id == op::matmul) return of_matmul(op, attrs, in, out, flat);
    if (op.id == op::conv2d || op.id == op::conv3d) return of_conv(attrs, in, out, flat);
    if (op.id == op::avg_pool2d || op.id == op::max_pool2d) return of_pool(op, attrs, in, out, flat);
    if (op.id == op::cumsum || op.id == op::cumprod) return of_scan(op, attrs, in, out, flat);
    if (op.id == op::layer_norm) return of_layer_norm(in, out, flat);
    if (op.id == op::batch_norm) return of_batch_norm(attrs, in, out, flat);
    return std::nullopt;
}

bool multiplies(const OpDef& op) { return op.id == op::prod || op.id == op::cumprod; }

}  // namespace fusescope::debug
