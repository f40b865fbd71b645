#include "profiler/tensors/image.hpp"

#include <limits>

#include "profiler/tensors/elements.hpp"

namespace fusescope::tensors {

namespace {

struct Plan {
    std::int64_t height = 1, width = 1, channels = 1, size = 1;
    std::int64_t row = 0, column = 0, channel = 0;  // strides
};

Plan plan(const Shape& shape, ImageLayout layout) {
    Plan p;
    const std::size_t rank = shape.size();
    if (rank < 2) {
        p.width = rank == 1 ? shape[0] : 1;
        p.column = 1;
        p.size = p.width;
        return p;
    }
    if (rank == 2) layout = ImageLayout::height_width;
    const std::int64_t x = rank > 2 ? shape[rank - 3] : 1, y = shape[rank - 2], z = shape[rank - 1];
    switch (layout) {
        case ImageLayout::height_width:
            p = {y, z, 1, y * z, z, 1, 0};
            break;
        case ImageLayout::height_width_channels:
            p = {x, y, z, x * y * z, y * z, z, 1};
            break;
        case ImageLayout::channels_height_width:
            p = {y, z, x, x * y * z, z, 1, y * z};
            break;
    }
    return p;
}

}  // namespace

ImageLayout likely_layout(const Shape& shape) {
    if (shape.rank() < 3) return ImageLayout::height_width;
    const auto colours = [](std::int64_t n) { return n == 3 || n == 1; };
    if (colours(shape.back())) return ImageLayout::height_width_channels;
    if (colours(shape[shape.size() - 3])) return ImageLayout::channels_height_width;
    return ImageLayout::height_width;
}

std::int64_t pictures(const Shape& shape, ImageLayout layout) {
    const std::int64_t count = shape.count(), size = plan(shape, layout).size;
    return count == 0 || size == 0 ? 0 : count / size;
}

std::int64_t channels(const Shape& shape, ImageLayout layout) { return plan(shape, layout).channels; }

Picture picture(const Array& array, ImageLayout layout, std::int64_t number, std::int64_t channel, ImageRange range,
                int most, const Stale& stale) {
    Picture out;
    const std::int64_t all = pictures(array.shape, layout);
    if (all == 0) return out;
    const Plan p = plan(array.shape, layout);
    const std::int64_t base = std::clamp(number, std::int64_t{0}, all - 1) * p.size;
    const bool colour = channel < 0 && p.channels >= 3;
    const std::int64_t first = channel < 0 ? 0 : std::clamp(channel, std::int64_t{0}, p.channels - 1);
    const std::int64_t shown = colour ? 3 : 1;
    out.step = std::max<std::int64_t>(1, (std::max(p.width, p.height) + most - 1) / most);
    out.width = static_cast<int>((p.width + out.step - 1) / out.step);
    out.height = static_cast<int>((p.height + out.step - 1) / out.step);
    out.rgb.resize(static_cast<std::size_t>(out.width) * static_cast<std::size_t>(out.height) * 3);
    with_elements(array, [&](const auto& value) {
        const auto each = [&](auto&& body) {
            for (std::int64_t r = 0; r < out.height; ++r) {
                if (stale && stale()) return;
                for (std::int64_t c = 0; c < out.width; ++c) {
                    body(static_cast<std::size_t>(r * out.width + c) * 3,
                         base + r * out.step * p.row + c * out.step * p.column + first * p.channel);
                }
            }
        };
        double low = 0, high = range == ImageRange::bytes ? 255 : 1;
        if (range == ImageRange::data) {
            double least = std::numeric_limits<double>::infinity(), greatest = -least;
            each([&](std::size_t, std::int64_t at) {
                for (std::int64_t k = 0; k < shown; ++k) {
                    const double v = value(at + k * p.channel);
                    if (!std::isfinite(v)) continue;
                    least = v < least ? v : least;
                    greatest = v > greatest ? v : greatest;
                }
            });
            low = least <= greatest ? least : 0;
            high = least <= greatest ? greatest : 1;
        }
        out.black = low;
        out.white = high;
        each([&](std::size_t pixel, std::int64_t at) {
            std::uint8_t* const to = out.rgb.data() + pixel;
            for (std::int64_t k = 0; k < 3; ++k) {
                const double v = value(at + (colour ? k : 0) * p.channel);
                if (!std::isfinite(v)) {
                    to[0] = to[2] = 255;
                    to[1] = 0;
                    return;
                }
                const double share = high > low ? (v / 2 - low / 2) / (high / 2 - low / 2) : 0.5;
                to[k] = static_cast<std::uint8_t>(std::lround(255 * std::clamp(share, 0.0, 1.0)));
            }
        });
    });
    return out;
}

}  // namespace fusescope::tensors
