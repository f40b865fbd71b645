// Tensors as files of other programs.
#pragma once

#include <span>
#include <string>

#include "profiler/tensors/array.hpp"

namespace fusescope::tensors {

/// Takes the next bytes of the file; false: it cannot, and no more follow.
using Sink = std::function<bool(std::span<const std::byte>)>;

/// numpy's .npy, version 1.0. numpy has no BFloat16: such tensors become float32, which holds each of their values
/// exactly. False when the sink refused or nobody wants the file any more.
bool write_npy(const Array& array, const Sink& sink, const Stale& stale = {});
/// The same for row-major elements that somebody else holds.
bool write_npy(DType dtype, const Shape& shape, const std::byte* data, const Sink& sink, const Stale& stale = {});

/// One line for each row of the last axis, its elements parted by commas, no header: numpy.loadtxt(…, delimiter=",")
/// reads it, and reshape() gives back more than two axes. Floats have as many digits as make them the same again; Bool
/// is 0 and 1.
bool write_csv(const Array& array, const Sink& sink, const Stale& stale = {});

}  // namespace fusescope::tensors
