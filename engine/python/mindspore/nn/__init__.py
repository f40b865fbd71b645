"""mindspore.nn: Cells, layers, losses and optimizers."""
from mindspore.nn.cell import Cell
from mindspore.nn.container import CellDict, CellList, SequentialCell
from mindspore.nn.basic import (
    ClipByNorm, Dense, Dropout, Embedding, Flatten, Identity, Linear, OneHot, get_activation)
from mindspore.nn.activation import (
    ELU, GELU, HSigmoid, HSwish, LeakyReLU, LogSoftmax, Mish, PReLU, ReLU, ReLU6, Sigmoid, SiLU, Softmax, Softplus,
    Tanh)
from mindspore.nn.conv import AdaptiveAvgPool2d, AvgPool2d, Conv2d, MaxPool2d, Upsample
from mindspore.nn.rnn_cells import GRUCell, LSTMCell, RNNCell
from mindspore.nn.rnn import GRU, LSTM, RNN
from mindspore.nn.normalization import BatchNorm1d, BatchNorm2d, GroupNorm, LayerNorm, RMSNorm
from mindspore.nn.attention import MultiheadAttention
from mindspore.nn.transformer import (
    Transformer, TransformerDecoder, TransformerDecoderLayer, TransformerEncoder, TransformerEncoderLayer)
from mindspore.nn.loss import (
    BCELoss, BCEWithLogitsLoss, CrossEntropyLoss, HuberLoss, L1Loss, Loss, LossBase, MAELoss, MSELoss, NLLLoss,
    RMSELoss, SmoothL1Loss, SoftmaxCrossEntropyWithLogits)
from mindspore.nn.steps import (
    DynamicLossScaleUpdateCell, FixedLossScaleUpdateCell, ForwardValueAndGrad, TrainOneStepCell,
    TrainOneStepWithLossScaleCell, WithEvalCell, WithLossCell)
from mindspore.nn.optim import (
    Adam, AdamWeightDecay, CosineDecayLR, ExponentialDecayLR, LearningRateSchedule, Momentum, Optimizer,
    PolynomialDecayLR, SGD, WarmUpLR, cosine_decay_lr, exponential_decay_lr, piecewise_constant_lr)
