#include <algorithm>
#include <tuple>

#include "engine/ops/window.hpp"
#include "fusescope/error.hpp"

namespace fusescope::window {

Axis axis(std::string_view op, std::int64_t in, std::int64_t kernel, std::int64_t stride, std::int64_t dilation,
          const std::string& pad_mode, std::int64_t pad_before, std::int64_t pad_after) {
    const std::string name(op);
    if (kernel < 1 || stride < 1 || dilation < 1) {
        throw UserError(ErrorKind::value, name, name + ": kernel size, stride and dilation must be at least 1");
    }
    const std::int64_t reach = (kernel - 1) * dilation + 1;
    Axis a{0, 0, 0};
    if (pad_mode == "same") {
        a.out = (in + stride - 1) / stride;
        const std::int64_t total = std::max<std::int64_t>(0, (a.out - 1) * stride + reach - in);
        a.before = total / 2;
        a.after = total - a.before;
    } else {
        if (pad_mode == "pad") {
            a.before = pad_before;
            a.after = pad_after;
        } else if (pad_mode != "valid") {
            throw UserError(ErrorKind::value, name,
                            name + ": pad_mode must be 'same', 'valid' or 'pad', not '" + pad_mode + "'");
        }
        const std::int64_t room = in + a.before + a.after - reach;
        if (room < 0) {
            throw UserError(ErrorKind::shape, name,
                            name + ": a window of " + std::to_string(reach) + " elements does not fit in " +
                                std::to_string(in) + " with padding " + std::to_string(a.before) + " and " +
                                std::to_string(a.after),
                            {}, "use pad_mode='same', a smaller kernel, or more padding");
        }
        a.out = room / stride + 1;
    }
    return a;
}

Ints extents(std::string_view op, std::string_view name, const Ints& v, std::size_t axes) {
    if (v.size() == 1) return Ints(axes, v[0]);
    if (v.size() == axes) return v;
    if (v.size() == axes + 2) return Ints(v.begin() + 2, v.end());
    throw UserError(ErrorKind::value, std::string(op),
                    std::string(op) + ": `" + std::string(name) + "` must be one int or " + std::to_string(axes));
}

std::pair<std::int64_t, std::int64_t> pair(std::string_view op, std::string_view name, const Ints& v) {
    const Ints two = extents(op, name, v, 2);
    return {two[0], two[1]};
}

Ints paddings(std::string_view op, const Ints& v, std::size_t axes) {
    if (v.size() == 1) return Ints(2 * axes, v[0]);
    if (v.size() == 2 * axes) return v;
    if (v.size() == axes) {
        Ints both;
        for (std::int64_t one : v) both.push_back(one), both.push_back(one);
        return both;
    }
    throw UserError(
        ErrorKind::value, std::string(op),
        std::string(op) + ": `padding` must be one int, " + std::to_string(axes) + " or " + std::to_string(2 * axes));
}

std::vector<AttrSpec> conv_attributes() {
    return {{"stride", AttrType::ints, Ints{1}},
            {"pad_mode", AttrType::string, std::string("valid")},
            {"padding", AttrType::ints, Ints{0}},
            {"dilation", AttrType::ints, Ints{1}},
            {"group", AttrType::integer, std::int64_t{1}}};
}

cpu::ConvShape conv_shape(std::size_t axes, const Shape& x, const Shape& w, const Attrs& attrs) {
    const std::string name = axes == 2 ? "Conv2D" : "Conv3D", rank = std::to_string(axes + 2);
    const std::string places = axes == 2 ? "height, width" : "depth, height, width";
    if (x.size() != axes + 2 || w.size() != axes + 2) {
        const std::string advice = x.size() == axes + 1
                                       ? "add the batch axis, for example x.expand_dims(0)"
                                       : "the input is (batch, channels, " + places + "), the weight (out, in/group, " +
                                             (axes == 2 ? "rows, columns)" : "depth, rows, columns)");
        throw UserError(ErrorKind::shape, name,
                        name + ": input " + to_string(x) + " and weight " + to_string(w) + " must both have rank " +
                            rank + "; " + advice,
                        {to_string(x), to_string(w)}, advice);
    }
    // Two axes are the last two of three.
    const std::size_t first = 3 - axes;
    const auto three = [&](const Ints& v) {
        Ints all(first, 1);
        for (std::int64_t one : v) all.push_back(one);
        return all;
    };
    const Ints strides = three(extents(name, "stride", attrs.ints(0), axes));
    const Ints dilations = three(extents(name, "dilation", attrs.ints(3), axes));
    cpu::ConvShape s;
    s.sd = strides[0], s.sh = strides[1], s.sw = strides[2];
    s.dd = dilations[0], s.dh = dilations[1], s.dw = dilations[2];
    s.groups = attrs.integer(4);
    s.n = x[0], s.ic = x[1], s.oc = w[0];
    if (axes == 3) s.id = x[2], s.kd = w[2];
    s.ih = x[axes], s.iw = x[axes + 1], s.kh = w[axes], s.kw = w[axes + 1];
    if (s.groups < 1 || s.oc % s.groups != 0 || w[1] * s.groups != s.ic) {
        std::string advice = "the weight's second extent times group must equal the input's channels";
        if (w[1] * s.groups == x[axes + 1]) {
            advice = "the channels seem to be last: transpose the input to ";
            advice += axes == 2 ? "(N, C, H, W), for example x.transpose(0, 3, 1, 2)"
                                : "(N, C, D, H, W), for example x.transpose(0, 4, 1, 2, 3)";
        }
        throw UserError(ErrorKind::shape, name,
                        name + ": the input " + to_string(x) + " has " + std::to_string(s.ic) +
                            " channels, the weight " + to_string(w) + " is for " + std::to_string(w[1] * s.groups) +
                            (s.groups > 1 ? " (group " + std::to_string(s.groups) + ")" : ""),
                        {to_string(x), to_string(w)}, advice);
    }
    const Ints pads = paddings(name, attrs.ints(2), axes);
    const auto along = [&](std::size_t k, std::int64_t in, std::int64_t kernel) {
        return axis(name, in, kernel, strides[k], dilations[k], attrs.string(1), pads[2 * (k - first)],
                    pads[2 * (k - first) + 1]);
    };
    if (axes == 3) {
        const Axis depth = along(0, s.id, s.kd);
        s.od = depth.out, s.front = depth.before, s.back = depth.after;
    }
    const Axis rows = along(1, s.ih, s.kh), columns = along(2, s.iw, s.kw);
    s.oh = rows.out, s.top = rows.before, s.bottom = rows.after;
    s.ow = columns.out, s.left = columns.before, s.right = columns.after;
    return s;
}

std::vector<AttrSpec> pool_attributes() {
    return {{"kernel_size", AttrType::ints, Ints{1}},
            {"stride", AttrType::optional_ints, {}},
            {"pad_mode", AttrType::string, std::string("valid")},
            {"padding", AttrType::ints, Ints{0}}};
}

cpu::PoolShape pool_shape(std::string_view op, const Shape& x, const Attrs& attrs) {
    const std::string name(op);
    if (x.rank() != 4) {
        throw UserError(ErrorKind::shape, name,
                        name + ": the input must be (batch, channels, height, width), but it has shape " + to_string(x),
                        {to_string(x)});
    }
    cpu::PoolShape s;
    std::tie(s.kh, s.kw) = pair(op, "kernel_size", attrs.ints(0));
    std::tie(s.sh, s.sw) = attrs.none(1) ? std::pair(s.kh, s.kw) : pair(op, "stride", attrs.ints(1));
    const Ints pads = paddings(op, attrs.ints(3));
    s.planes = x[0] * x[1], s.ih = x[2], s.iw = x[3];
    const Axis rows = axis(op, s.ih, s.kh, s.sh, 1, attrs.string(2), pads[0], pads[1]);
    const Axis columns = axis(op, s.iw, s.kw, s.sw, 1, attrs.string(2), pads[2], pads[3]);
    s.oh = rows.out, s.top = rows.before, s.ow = columns.out, s.left = columns.before;
    s.count_padding = attrs.string(2) == "pad";
    return s;
}

}  // namespace fusescope::window
