"""Logarithms, powers, quotients, angles, exponentials, sums and products."""
from support import *

# logs
run(lambda x: ops.log(x), [1.0, 0.0])
#: inf Log [1] log_of_zero
run(lambda x: ops.log(x), [1.0, -2.0])
#: nan Log [1] log_of_negative
run(lambda x: ops.log2(x), [1.0, 0.0, -1.0])
#: nan Log2 [2] log_of_negative; inf Log2 [1] log_of_zero
run(lambda x: ops.log10(x), [1.0, 0.0])
#: inf Log10 [1] log_of_zero
run(lambda x: ops.log1p(x), [1.0, -1.0])
#: inf Log1p [1] log_of_zero
run(lambda x: ops.log1p(x), [1.0, -2.0])
#: nan Log1p [1] log_of_negative
grad(lambda x: ops.log(x), [1.0, 0.0])
#: inf Log [1] log_of_zero; inf Log' [1] gradient_of_log_at_zero
grad(lambda x: ops.log1p(x), [1.0, -1.0])
#: inf Log1p [1] log_of_zero; inf Log1p' [1] gradient_of_log_at_zero
grad(lambda x: ops.log2(x), [1.0, 0.0])
#: inf Log2 [1] log_of_zero; inf Log2' [1] gradient_of_log_at_zero
run(lambda x, y: ops.xlogy(x, y), [1.0, 2.0], [1.0, 0.0])
#: inf Xlogy [1] log_of_zero
run(lambda x, y: ops.xlogy(x, y), [1.0, 2.0], [1.0, -1.0])
#: nan Xlogy [1] log_of_negative
run(lambda x, y: ops.xlogy(x, y), [0.0, 2.0], [0.0, 1.0])
grad(lambda x, y: ops.xlogy(x, y), [1.0, 2.0], [1.0, 0.0], wrt=1)
#: inf Xlogy [1] log_of_zero; inf Xlogy' [1] gradient_of_log_at_zero
run(lambda x: ops.log(x), [0, 1])
#: inf Log [0] log_of_zero
run(lambda x: ops.logsigmoid(x), [-1000.0])
run(lambda x, y: ops.logaddexp(x, y), [-inf, 1.0], [-inf, 1.0])
run(lambda x, y: ops.logaddexp(x, y), [inf, 1.0], [inf, 1.0])
run(lambda x: ops.logsumexp(x, 0), [-inf, -inf])
run(lambda x: ops.logsumexp(x, 0), [inf, 1.0])
# pow
run(lambda x: ops.pow(x, 0.5), [1.0, -1.0])
#: nan Pow [1] power_of_negative_base
run(lambda x: ops.pow(x, -1.0), [1.0, 0.0])
#: inf Pow [1] power_of_zero
run(lambda x: ops.pow(x, 2.0), [1.0, 1e30])
#: inf Pow [1] overflow_of_pow
run(lambda x: x ** -2, [1.0, 0.0])
#: inf Pow [1] power_of_zero
run(lambda x: x ** 3, [1.0, 300.0], dtype=f16)
#: inf Pow [1] overflow_of_pow
run(lambda x, y: ops.pow(x, y), [2.0, 10.0], [2.0, 100.0])
#: inf Pow [1] overflow_of_pow
run(lambda x: 2.0 ** x, [2.0, 1000.0])
#: inf Pow [1] overflow_of_pow
run(lambda x: 0.0 ** x, [2.0, -1.0])
#: inf Pow [1] power_of_zero
grad(lambda x: ops.pow(x, 0.5), [1.0, 0.0])
#: inf Pow' [1] gradient_of_power_at_zero
grad(lambda x: ops.pow(x, -0.5), [1.0, 0.0])
#: inf Pow [1] power_of_zero; inf Pow' [1] gradient_of_power_at_zero
grad(lambda x, y: ops.pow(x, y), [1.0, -2.0], [2.0, 2.0], wrt=1)
#: nan Pow' [1] gradient_of_exponent
grad(lambda x, y: ops.pow(x, y), [1.0, 0.0], [2.0, 0.0], wrt=1)
#: ~inf Pow' [1] gradient_of_exponent
grad(lambda x, y: ops.pow(x, y), [1.0, 0.0], [2.0, 0.0], wrt=0)
#: inf Pow' [1] gradient_of_power_at_zero; nan Pow' [1] zero_gradient_times_inf
grad(lambda x, y: ops.pow(x, y), [1.0, 0.0], [2.0, 0.5], wrt=0)
#: inf Pow' [1] gradient_of_power_at_zero
grad(lambda x: x ** 3 * 0.0, [1.0, 300.0], dtype=f16)
#: inf Pow [1] overflow_of_pow; nan Mul [1] zero_times_inf; inf Pow' [1] overflow_of_pow; nan Pow' [1] zero_gradient_times_inf
# div
run(lambda x, y: x / y, [0.0, 1.0], [0.0, 1.0])
#: nan Div [0] zero_over_zero
run(lambda x, y: x / y, [2.0, 1.0], [0.0, 1.0])
#: inf Div [0] division_by_zero
run(lambda x, y: x / y, [inf, 1.0], [inf, 1.0])
#: nan Div [0] inf_over_inf
run(lambda x, y: x / y, [1e30, 1.0], [1e-30, 1.0])
#: inf Div [0] quotient_overflow
run(lambda x, y: x // y, [0.0, 1.0], [0.0, 1.0])
#: nan FloorDiv [0] zero_over_zero
run(lambda x, y: x // y, [2.0, 1.0], [0.0, 1.0])
#: inf FloorDiv [0] division_by_zero
run(lambda x, y: x // y, [inf, 1.0], [2.0, 1.0])
#: nan FloorDiv [0] modulo_of_infinity
run(lambda x, y: x // y, [inf, 1.0], [inf, 1.0])
#: nan FloorDiv [0] inf_over_inf
run(lambda x, y: x % y, [2.0, 1.0], [0.0, 1.0])
#: nan FloorMod [0] modulo_by_zero
run(lambda x, y: x % y, [inf, 1.0], [2.0, 1.0])
#: nan FloorMod [0] modulo_of_infinity
run(lambda x, y: ops.floor_mod(x, y), [2.0, 1.0], [0.0, 1.0])
#: nan FloorMod [0] modulo_by_zero
run(lambda x, y: ops.fmod(x, y), [2.0, 1.0], [0.0, 1.0])
#: nan Fmod [0] modulo_by_zero
run(lambda x, y: ops.fmod(x, y), [inf, 1.0], [2.0, 1.0])
#: nan Fmod [0] modulo_of_infinity
run(lambda x, y: ops.remainder(x, y), [2.0, 1.0], [0.0, 1.0])
#: nan FloorMod [0] modulo_by_zero
run(lambda x: ops.reciprocal(x), [1.0, 0.0])
#: inf Reciprocal [1] division_by_zero
run(lambda x: ops.reciprocal(x), [1.0, 1e-40])
#: inf Reciprocal [1] quotient_overflow
run(lambda x: 1.0 / x, [1.0, 0.0])
#: inf Div [1] division_by_zero
run(lambda x: x / 0.0, [1.0, 0.0])
#: nan Div [1] zero_over_zero; inf Div [0] division_by_zero
run(lambda x: x / 0, [0, 1])
#: nan Div [0] zero_over_zero; inf Div [1] division_by_zero
run(lambda a, x, y: ops.addcdiv(a, x, y, 1.0), [0.0, 1.0], [2.0, 1.0], [0.0, 1.0])
#: inf Addcdiv [0] division_by_zero
run(lambda a, x, y: ops.addcdiv(a, x, y, 1.0), [0.0, 1.0], [0.0, 1.0], [0.0, 1.0])
#: nan Addcdiv [0] zero_over_zero
run(lambda a, x, y: ops.addcdiv(a, x, y, 1.0), [0.0, -inf], [2.0, 1e30], [1.0, 1e-30])
#: nan Addcdiv [1] inf_minus_inf
run(lambda a, x, y: ops.addcdiv(a, x, y, 1.0), [0.0, 1], [2.0, 1e30], [1.0, 1e-30])
#: inf Addcdiv [1] quotient_overflow
run(lambda a, x, y: ops.addcmul(a, x, y, 1.0), [0.0, 1], [2.0, 1e30], [1.0, 1e30])
#: inf Addcmul [1] overflow
run(lambda a, x, y: ops.addcmul(a, x, y, 1.0), [0.0, 1], [2.0, 0.0], [1.0, inf])
#: nan Addcmul [1] zero_times_inf
run(lambda a, x, y: ops.addcmul(a, x, y, 1.0), [0.0, -inf], [2.0, 1e30], [1.0, 1e30])
#: nan Addcmul [1] inf_minus_inf
grad(lambda x, y: x / y, [2.0, 1.0], [0.0, 1.0], wrt=0)
#: inf Div [0] division_by_zero; inf Div' [0] division_by_zero
grad(lambda x, y: x / y, [2.0, 1.0], [0.0, 1.0], wrt=1)
#: inf Div [0] division_by_zero
grad(lambda x, y: x / y, [0.0, 1.0], [0.0, 1.0], wrt=1)
#: nan Div [0] zero_over_zero
grad(lambda x: ops.reciprocal(x), [0.0, 1.0])
#: inf Reciprocal [0] division_by_zero
grad(lambda x: ops.rsqrt(x), [0.0, 1.0])
#: inf Rsqrt [0] rsqrt_of_zero
grad(lambda x: x / ops.norm(x), [0.0, 0.0])
#: nan Div [0] zero_over_zero; inf Div' [0] division_by_zero
# trig
run(lambda x: ops.acos(x), [0.5, 1.0000001])
#: nan ACos [1] outside_minus_one_to_one
run(lambda x: ops.asin(x), [0.5, -1.5])
#: nan Asin [1] outside_minus_one_to_one
run(lambda x: ops.acosh(x), [0.5, 1.5])
#: nan Acosh [0] acosh_below_one
run(lambda x: ops.atanh(x), [0.5, 1.0, 1.5])
#: nan Atanh [2] outside_minus_one_to_one; inf Atanh [1] atanh_of_one
run(lambda x: ops.atanh(x), [0.5, -1.0])
#: inf Atanh [1] atanh_of_one
grad(lambda x: ops.acos(x), [0.5, 1.0])
#: inf ACos' [1] gradient_at_edge
grad(lambda x: ops.asin(x), [0.5, -1.0])
#: inf Asin' [1] gradient_at_edge
grad(lambda x: ops.acosh(x), [2.0, 1.0])
#: inf Acosh' [1] gradient_at_edge
grad(lambda x: ops.atanh(x), [0.5, 1.0])
#: inf Atanh [1] atanh_of_one; inf Atanh' [1] gradient_at_edge
grad(lambda x, y: ops.atan2(x, y), [0.0, 1.0], [0.0, 1.0])
#: inf Atan2' [0] gradient_at_origin; nan Atan2' [0] zero_gradient_times_inf
run(lambda x: ops.sin(x), [inf, 1.0])
#: nan Sin [0] nan_of_infinity
run(lambda x: ops.cos(x), [-inf, 1.0])
#: nan Cos [0] nan_of_infinity
run(lambda x: ops.tan(x), [-inf, 1.0])
#: nan Tan [0] nan_of_infinity
# exp
run(lambda x: ops.exp(x), [1.0, 100.0])
#: inf Exp [1] overflow_of_exp
run(lambda x: ops.exp(x), [1.0, 12.0], dtype=f16)
#: inf Exp [1] overflow_of_exp
run(lambda x: ops.exp(x), [1.0, 100.0], dtype=bf16)
#: inf Exp [1] overflow_of_exp
run(lambda x: ops.exp(x), [1.0, 1000.0], dtype=f64)
#: inf Exp [1] overflow_of_exp
run(lambda x: ops.exp2(x), [1.0, 200.0])
#: inf Exp2 [1] overflow_of_exp
run(lambda x: ops.expm1(x), [1.0, 100.0])
#: inf Expm1 [1] overflow_of_exp
run(lambda x: ops.expm1(x), [1.0, 12.0], dtype=f16)
#: inf Expm1 [1] overflow_of_exp
run(lambda x: ops.sinh(x), [1.0, 100.0])
#: inf Sinh [1] overflow_of_exp
run(lambda x: ops.sinh(x), [1.0, -12.0], dtype=f16)
#: inf Sinh [1] overflow_of_exp
run(lambda x: ops.cosh(x), [1.0, -100.0])
#: inf Cosh [1] overflow_of_exp
run(lambda x: ops.cosh(x), [1.0, 12.0], dtype=f16)
#: inf Cosh [1] overflow_of_exp
run(lambda x: ops.softplus(x), [1.0, 100.0])
run(lambda x: ops.silu(x), [1.0, -1000.0])
run(lambda x: ops.silu(x), [1.0, -inf])
run(lambda x: ops.gelu(x), [1.0, -inf])
run(lambda x: ops.mish(x), [1.0, -inf])
run(lambda x: ops.mish(x), [1.0, 1000.0])
run(lambda x: ops.hardswish(x), [1.0, -inf])
#: nan HSwish [1] nan_of_infinity
run(lambda x: ops.softsign(x), [1.0, inf])
#: nan Softsign [1] inf_over_inf
run(lambda x: ops.elu(x), [1.0, -1000.0])
run(lambda x: ops.selu(x), [1.0, -1000.0])
grad(lambda x: ops.silu(x), [1.0, -1000.0])
grad(lambda x: ops.gelu(x), [1.0, -1000.0])
grad(lambda x: ops.mish(x), [1.0, -1000.0, 1000.0])
grad(lambda x: ops.sigmoid(x), [1.0, -1000.0, 1000.0])
grad(lambda x: ops.softplus(x), [1.0, -1000.0, 1000.0])
grad(lambda x: ops.logsigmoid(x), [1.0, -1000.0, 1000.0])
# arithmetic
run(lambda x, y: x + y, [inf, 1.0], [-inf, 1.0])
#: nan Add [0] inf_minus_inf
run(lambda x, y: x - y, [inf, 1.0], [inf, 1.0])
#: nan Sub [0] inf_minus_inf
run(lambda x, y: x * y, [inf, 1.0], [0.0, 1.0])
#: nan Mul [0] zero_times_inf
run(lambda x, y: x + y, [60000.0, 1.0], [60000.0, 1.0], dtype=f16)
#: inf Add [0] overflow
run(lambda x, y: x * y, [3000.0, 1.0], [300.0, 1.0], dtype=f16)
#: inf Mul [0] overflow
run(lambda x, y: x * y, [3e38, 1.0], [300.0, 1.0], dtype=bf16)
#: inf Mul [0] overflow
run(lambda x: ops.square(x), [3000.0, 1.0], dtype=f16)
#: inf Square [0] overflow
run(lambda x: x.astype(f16), [70000.0, 1.0])
#: inf Cast [0] overflow_of_cast
run(lambda x: x.astype(f32), [1e300, 1.0], dtype=f64)
#: inf Cast [0] overflow_of_cast
run(lambda x: x.astype(bf16), [3.4e38, 1.0])
#: inf Cast [0] overflow_of_cast
run(lambda x, y, w: ops.lerp(x, y, w), [inf, 1.0], [inf, 1.0], [0.5, 0.5])
#: nan Lerp [0] inf_minus_inf
run(lambda x, y, w: ops.lerp(x, y, w), [-3e38, 1.0], [3e38, 1.0], [0.5, 0.5])
#: inf Lerp [0] overflow
