"""mindspore.experimental.optim: optimizers with param_groups, and lr_scheduler."""
from mindspore.experimental.optim import lr_scheduler
from mindspore.experimental.optim.optimizer import (
    SGD, Adadelta, Adagrad, Adam, Adamax, AdamW, ASGD, NAdam, Optimizer, RAdam, RMSprop, Rprop)
