"""A compiled function that was first called with the same tensor in two places is right for different ones too."""
import numpy as np

import mindspore as ms
from mindspore import Parameter, Tensor, nn

faults = 0


def tensor(value):
    return Tensor(np.array([value], np.float32))


def expect(what, got, wanted):
    global faults
    if got.asnumpy()[0] != wanted:
        faults += 1
        print(f"{what}: {got} instead of {wanted}")


@ms.jit
def as_it_is(x):
    return x


@ms.jit
def weighted(a, b):
    return a + b * 10


as_it_is(tensor(0))
x = tensor(1)
other_object = as_it_is(x)
expect("one tensor in two Python objects", weighted(x, other_object), 11)
expect("two tensors afterwards", weighted(tensor(1), tensor(2)), 21)
expect("one tensor twice", weighted(x, x), 11)

everywhere = tensor(1)


@ms.jit
def with_global(a):
    return a * 10 + everywhere


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(tensor(3), name="w")

    @ms.jit
    def construct(self, a):
        return a * 10 + self.w


net = Net()
for call in (1, 2):
    expect("an argument that is the global", with_global(everywhere), 11)
    expect("another argument", with_global(tensor(2)), 21)
    expect("an argument that is the Cell's Parameter", net(net.w), 33)
    expect("another Parameter", net(Parameter(tensor(2), name="q")), 23)

# What is handed back: the very argument or Parameter, a copy of it, or a tensor of the function's own.
parameter, outside = Parameter(tensor(0), name="handed"), tensor(0)


@ms.jit
def handing_back(a):
    return a, a.copy(), Tensor(a), parameter, parameter.value(), Tensor(np.array([5], np.float32)), outside


for value in (1, 2, 3):
    parameter.set_data(tensor(value * 10))
    given = tensor(value)
    outside.set_data(tensor(value * 100))
    same, copy, made, own, taken, fresh, there = handing_back(given)
    if same is not given or own is not parameter or there is not outside:
        faults += 1
        print("what was handed back is another object")
    for what, got, wanted in (("copy", copy, value), ("Tensor()", made, value), ("value()", taken, value * 10),
                              ("a tensor of its own", fresh, 5), ("a tensor from outside", there, value * 100)):
        expect(f"{what} handed back, call {value}", got, wanted)
        got[0] = -1.0
    expect("the argument", given, value)
    expect("the Parameter", parameter, value * 10)

raise SystemExit(faults > 0)
