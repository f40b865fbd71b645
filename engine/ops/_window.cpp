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

std::pair<std::int64_t, std::int64_t> pair(std::string_view op, std::string_view name, const Ints& v) {
    if (v.size() == 1) return {v[0], v[0]};
    if (v.size() == 2) return {v[0], v[1]};
    if (v.size() == 4) return {v[2], v[3]};
    throw UserError(ErrorKind::value, std::string(op),
                    std::string(op) + ": `" + std::string(name) + "` must be one int or two");
}

Ints paddings(std::string_view op, const Ints& v) {
    if (v.size() == 1) return {v[0], v[0], v[0], v[0]};
    if (v.size() == 2) return {v[0], v[0], v[1], v[1]};
    if (v.size() == 4) return v;
    throw UserError(ErrorKind::value, std::string(op), std::string(op) + ": `padding` must be one int, two or four");
}

std::vector<AttrSpec> conv_attributes() {
    return {{"stride", AttrType::ints, Ints{1}},
            {"pad_mode", AttrType::string, std::string("valid")},
            {"padding", AttrType::ints, Ints{0}},
            {"dilation", AttrType::ints, Ints{1}},
            {"group", AttrType::integer, std::int64_t{1}}};
}

cpu::ConvShape conv_shape(const Shape& x, const Shape& w, const Attrs& attrs) {
    if (x.rank() != 4 || w.rank() != 4) {
        const std::string advice =
            x.rank() == 3 ? "add the batch axis, for example x.expand_dims(0)"
                          : "the input is (batch, channels, height, width), the weight (out, in/group, rows, columns)";
        throw UserError(
            ErrorKind::shape, "Conv2D",
            "Conv2D: input " + to_string(x) + " and weight " + to_string(w) + " must both have rank 4; " + advice,
            {to_string(x), to_string(w)}, advice);
    }
    cpu::ConvShape s;
    std::tie(s.sh, s.sw) = pair("Conv2D", "stride", attrs.ints(0));
    std::tie(s.dh, s.dw) = pair("Conv2D", "dilation", attrs.ints(3));
    s.groups = attrs.integer(4);
    s.n = x[0], s.ic = x[1], s.ih = x[2], s.iw = x[3];
    s.oc = w[0], s.kh = w[2], s.kw = w[3];
    if (s.groups < 1 || s.oc % s.groups != 0 || w[1] * s.groups != s.ic) {
        std::string advice = "the weight's second extent times group must equal the input's channels";
        if (w[1] * s.groups == x[3])
            advice =
                "the channels seem to be last: transpose the input to (N, C, H, W), for example x.transpose(0, 3, 1, "
                "2)";
        throw UserError(ErrorKind::shape, "Conv2D",
                        "Conv2D: the input " + to_string(x) + " has " + std::to_string(s.ic) +
                            " channels, the weight " + to_string(w) + " is for " + std::to_string(w[1] * s.groups) +
                            (s.groups > 1 ? " (group " + std::to_string(s.groups) + ")" : ""),
                        {to_string(x), to_string(w)}, advice);
    }
    const Ints pads = paddings("Conv2D", attrs.ints(2));
    const Axis rows = axis("Conv2D", s.ih, s.kh, s.sh, s.dh, attrs.string(1), pads[0], pads[1]);
    const Axis columns = axis("Conv2D", s.iw, s.kw, s.sw, s.dw, attrs.string(1), pads[2], pads[3]);
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
