// A tensor looked at as a picture.
#pragma once

#include "profiler/tensors/array.hpp"

namespace fusescope::tensors {

/// Which axes of the last three are height, width and channels; a tensor of two axes is grey whatever is chosen.
enum class ImageLayout { height_width, height_width_channels, channels_height_width };
/// What is black and what is white.
enum class ImageRange { data, unit, bytes };  ///< least to greatest of the picture, 0 to 1, 0 to 255

struct Picture {
    int width = 0, height = 0;
    std::int64_t step = 1;          ///< every how many-th pixel is shown, to keep within `most`
    std::vector<std::uint8_t> rgb;  ///< three bytes a pixel, row by row; NaN and Inf are magenta
    double black = 0, white = 0;
};

/// The layout that a shape suggests: 3 or 1 at one end of the last three axes.
ImageLayout likely_layout(const Shape& shape);
/// Pictures in the tensor: the product of the axes before those of one picture; 0 when it is none.
std::int64_t pictures(const Shape& shape, ImageLayout layout);
/// Channels of one picture.
std::int64_t channels(const Shape& shape, ImageLayout layout);

/// Picture `number`; `channel` -1: three channels as red, green and blue (a first channel alone as grey), else that
/// one as grey. At most `most` pixels either way.
Picture picture(const Array& array, ImageLayout layout, std::int64_t number, std::int64_t channel, ImageRange range,
                int most, const Stale& stale = {});

}  // namespace fusescope::tensors
