"""mindspore.experimental: optimizers whose groups may be changed while training."""
from mindspore.experimental import optim
