"""Gradients of all kinds: of inputs, of weights, with extra outputs, stopped, and of a gradient."""
import numpy as np

import mindspore as ms
from mindspore import Parameter, Tensor, ops

w = Parameter(Tensor(np.array([2.0, -1.0, 0.5], np.float32)), name="w")
x = Tensor(np.array([1.0, 2.0, 3.0], np.float32))


def polynomial(x):
    return (w * x ** 2).sum()


print("with respect to x:", ms.grad(polynomial)(x))
print("and to w:", ms.grad(polynomial, 0, [w])(x)[1][0])

value, gradient = ms.value_and_grad(polynomial)(x)
print("value", value, "gradient", gradient)


def with_aux(x):
    y = w * x
    return y.sum(), y


gradient, aux = ms.grad(with_aux, has_aux=True)(x)
print("gradient of the first output only:", gradient, "the rest:", aux)

print("stopped:", ms.grad(lambda x: (x * ops.stop_gradient(x)).sum())(x))
print("second derivative of x^3:", ms.grad(lambda x: ms.grad(lambda t: (t ** 3).sum())(x).sum())(x))
