// Sliding windows: what convolution and pooling share in their attributes.
#pragma once

#include <string_view>

#include "engine/cpu/convolution.hpp"
#include "engine/cpu/pooling.hpp"
#include "engine/ir/op_def.hpp"

namespace fusescope::window {

/// Output extent and padding of one axis; throws UserError when the window does not fit.
struct Axis {
    std::int64_t out, before, after;
};
Axis axis(std::string_view op, std::int64_t in, std::int64_t kernel, std::int64_t stride, std::int64_t dilation,
          const std::string& pad_mode, std::int64_t pad_before, std::int64_t pad_after);

/// `axes` numbers out of one, of `axes`, or of axes + 2 (with those of batch and channels first).
Ints extents(std::string_view op, std::string_view name, const Ints& v, std::size_t axes);
/// The same for two axes.
std::pair<std::int64_t, std::int64_t> pair(std::string_view op, std::string_view name, const Ints& v);
/// Before and after each of `axes` axes, out of one number, one an axis, or two an axis.
Ints paddings(std::string_view op, const Ints& v, std::size_t axes = 2);

/// Attributes stride (0), pad_mode (1), padding (2), dilation (3), group (4).
std::vector<AttrSpec> conv_attributes();
/// For two axes, or three. Throws UserError (shape) for channels that do not fit, with what may be meant.
cpu::ConvShape conv_shape(std::size_t axes, const Shape& x, const Shape& w, const Attrs& attrs);

/// Attributes kernel_size (0), stride (1), pad_mode (2), padding (3).
std::vector<AttrSpec> pool_attributes();
cpu::PoolShape pool_shape(std::string_view op, const Shape& x, const Attrs& attrs);

}  // namespace fusescope::window
