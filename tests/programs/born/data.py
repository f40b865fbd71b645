"""What the program gives itself: NaN and infinity as numbers, attributes and data."""
from support import *

# python scalars and data
run(lambda x: x * nan, [1.0, 2.0])
#: nan Mul< [0] nan_number
run(lambda x: x * inf, [1.0, 2.0])
run(lambda x: x + np.float32(nan), [1.0, 2.0])
#: nan Add< [0] nan_number
run(lambda x: x + np.array([nan, 1.0], np.float32), [1.0, 2.0])
#: nan Tensor< [0] nan_in_input
run(lambda x: x + Tensor(nan), [1.0, 2.0])
#: nan Tensor< [] nan_in_input
run(lambda x: x + Tensor([nan, 1.0]), [1.0, 2.0])
#: nan Tensor< [0] nan_in_input
run(lambda x: ops.full((2,), nan) + x, [1.0, 2.0])
#: nan Fill< [0] nan_number
run(lambda x: ops.full_like(x, nan), [1.0, 2.0])
#: nan FullLike< [0] nan_number
run(lambda x: ops.where(x > 1, x, nan), [1.0, 2.0])
#: nan Select< [0] nan_number
run(lambda x: ops.masked_fill(x, x > 1, nan), [1.0, 2.0])
#: nan MaskedFill< [1] nan_number
run(lambda x: ops.masked_fill(x, x > 1, -inf), [1.0, 2.0])
run(lambda x: ops.softmax(ops.masked_fill(x, x > 1, -inf)), [1.0, 2.0])
run(lambda x: ops.clip(x, nan, 1.0), [1.0, 2.0])
#: nan Clamp< [0] nan_number
run(lambda x: ops.clamp(x, -inf, 1.0), [1.0, 2.0])
run(lambda x: ops.maximum(x, -inf), [1.0, 2.0])
run(lambda x: ops.maximum(x, nan), [1.0, 2.0])
#: nan Maximum< [0] nan_number
run(lambda x: ops.pow(x, nan), [1.0, 2.0])
#: nan Pow< [1] nan_number
run(lambda x: x / inf, [1.0, 2.0])
run(lambda x: x - inf, [1.0, 2.0])
run(lambda x: ops.addcmul(x, x, x, nan), [1.0, 2.0])
#: nan Addcmul< [0] nan_number
run(lambda x: ops.zeros((2,), ms.float32) * inf, [1.0])
#: nan Mul [0] zero_times_inf
run(lambda x: x * 1e39, [1.0, 2.0])
#: inf Mul< [0] number_overflow
run(lambda x: x * 1e5, [1.0, 2.0], dtype=f16)
#: inf Mul< [0] number_overflow
run(lambda x: x + 70000.0, [1.0, 2.0], dtype=f16)
#: inf Add< [0] number_overflow
run(lambda x: x / 1e-9, [0.0, 2.0], dtype=f16)
#: nan Div [0] zero_over_zero; inf Div [1] division_by_zero
run(lambda x: x / (x + 1e-9), [0.0, 2.0], dtype=f16)
#: nan Div [0] zero_over_zero
run(lambda x: ops.log(x + 1e-9), [0.0, 2.0], dtype=f16)
#: inf Log [0] log_of_zero
run(lambda x: ops.nan_to_num(ops.log(x)), [0.0, 2.0])
#: ~inf Log [0] log_of_zero
run(lambda x: ops.isnan(ops.sqrt(x)), [-1.0, 2.0])
#: ~nan Sqrt [0] sqrt_of_negative
run(lambda x: ops.isfinite(ops.log(x)).all(), [0.0, 2.0])
#: ~inf Log [0] log_of_zero
run(lambda x: ops.minimum(Tensor(inf), x).min(), [1.0, 2.0])
run(lambda x: ops.select(x > 1, x, nan), [1.0, 2.0])
#: nan Select< [0] nan_number
run(lambda x: ops.fill(ms.float32, (2,), nan), [1.0, 2.0])
#: nan Fill< [0] nan_number
run(lambda x: Tensor(np.full((2,), nan, np.float32)), [1.0, 2.0])
#: nan Tensor< [0] nan_in_input
run(lambda x: ops.stack([x, Tensor([nan, 1.0])]), [1.0, 2.0])
#: nan Tensor< [0] nan_in_input
run(lambda x: ops.ones_like(x) * nan, [1.0, 2.0])
#: nan Mul< [0] nan_number
run(lambda x: ops.pad(x, (1, 1), value=nan), [1.0, 2.0])
#: nan Pad< [0] nan_number
run(lambda x: ops.pad(x, (1, 1), value=-inf), [1.0, 2.0])
run(lambda x: ms.ops.arange(0, 2) * nan, [1.0, 2.0])
#: nan Mul< [0] nan_number
grad(lambda x: x * nan, [1.0, 2.0])
#: nan Mul< [0] nan_number
run(lambda x: x == nan, [1.0, 2.0])
# data that an element type cannot hold
run(lambda x: x + 1.0, [70000.0, 1.0], dtype=f16)
run(lambda x: x + 1.0, [inf, 1.0], dtype=f16)
# numbers
run(lambda m: (1.0 - m) * -1e9, [0.0, 1.0], dtype=f16)
#: inf Mul< [0] number_overflow; nan Mul [1] zero_times_inf
run(lambda x, m: ops.softmax(x + (1.0 - m) * -1e9, -1), [1.0, 2.0], [0.0, 1.0], dtype=f16)
#: inf Mul< [0] number_overflow; nan Mul [1] zero_times_inf
run(lambda x, m: ops.softmax(ops.masked_fill(x, m == 0, -1e9), -1), [1.0, 2.0], [0.0, 1.0], dtype=f16)
#: ~inf MaskedFill< [0] number_overflow
run(lambda x: ops.log(x + 1e-9), [0.0, 1.0], dtype=f16)
#: inf Log [0] log_of_zero
run(lambda x: x / (x.sum() + 1e-12), [0.0, 0.0], dtype=f16)
#: nan Div [0] zero_over_zero
