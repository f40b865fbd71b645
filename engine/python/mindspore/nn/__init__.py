"""mindspore.nn: Cells, layers, losses and optimizers."""
from mindspore.nn.cell import Cell
from mindspore.nn.container import CellDict, CellList, SequentialCell
from mindspore.nn.basic import (
    BiDense, ChannelShuffle, ClipByNorm, Dense, Dropout, Dropout1d, Dropout2d, Dropout3d, Embedding, Flatten, Identity,
    Linear, OneHot, Tril, Triu, Unflatten, get_activation)
from mindspore.nn.activation import (
    CELU, ELU, GELU, GLU, FastGelu, Hardtanh, HShrink, HSigmoid, HSwish, LeakyReLU, LogSigmoid, LogSoftmax, Mish, PReLU,
    ReLU, ReLU6, RReLU, SeLU, Sigmoid, SiLU, Softmax, Softmax2d, Softmin, Softplus, SoftShrink, Softsign, Tanh,
    Tanhshrink, Threshold)
from mindspore.nn.conv import Conv1d, Conv1dTranspose, Conv2d, Conv2dTranspose, Conv3d, Conv3dTranspose
from mindspore.nn.image import PixelShuffle, PixelUnshuffle, ResizeBilinear, Upsample
from mindspore.nn.pooling import (
    AdaptiveAvgPool1d, AdaptiveAvgPool2d, AdaptiveAvgPool3d, AdaptiveMaxPool1d, AdaptiveMaxPool2d, AdaptiveMaxPool3d,
    AvgPool1d, AvgPool2d, AvgPool3d, LPPool1d, LPPool2d, MaxPool1d, MaxPool2d, MaxPool3d, MaxUnpool1d, MaxUnpool2d,
    MaxUnpool3d)
from mindspore.nn.rnn_cells import GRUCell, LSTMCell, RNNCell
from mindspore.nn.rnn import GRU, LSTM, RNN
from mindspore.nn.padding import (
    ConstantPad1d, ConstantPad2d, ConstantPad3d, Pad, ReflectionPad1d, ReflectionPad2d, ReflectionPad3d,
    ReplicationPad1d, ReplicationPad2d, ReplicationPad3d, ZeroPad2d)
from mindspore.nn.normalization import (
    LRN, BatchNorm1d, BatchNorm2d, BatchNorm3d, GroupNorm, InstanceNorm1d, InstanceNorm2d, InstanceNorm3d, LayerNorm,
    RMSNorm, SyncBatchNorm)
from mindspore.nn.attention import MultiheadAttention
from mindspore.nn.transformer import (
    Transformer, TransformerDecoder, TransformerDecoderLayer, TransformerEncoder, TransformerEncoderLayer)
from mindspore.nn.loss import (
    BCELoss, BCEWithLogitsLoss, CrossEntropyLoss, HuberLoss, L1Loss, Loss, LossBase, MAELoss, MSELoss, NLLLoss,
    RMSELoss, SmoothL1Loss, SoftmaxCrossEntropyWithLogits)
from mindspore.nn.steps import (
    DynamicLossScaleUpdateCell, FixedLossScaleUpdateCell, ForwardValueAndGrad, TrainOneStepCell,
    TrainOneStepWithLossScaleCell, WithEvalCell, WithLossCell)
from mindspore.nn.margin_loss import (
    CosineEmbeddingLoss, HingeEmbeddingLoss, MarginRankingLoss, MultiLabelSoftMarginLoss, MultilabelMarginLoss,
    MultiMarginLoss, SoftMarginLoss, TripletMarginLoss)
from mindspore.nn.likelihood_loss import (
    CTCLoss, DiceLoss, FocalLoss, GaussianNLLLoss, KLDivLoss, MultiClassDiceLoss, PoissonNLLLoss)
from mindspore.nn.optim import (
    ASGD, FTRL, SGD, Adadelta, Adagrad, Adam, AdaMax, AdamWeightDecay, Lamb, LazyAdam, LearningRateSchedule, Momentum,
    Optimizer, ProximalAdagrad, RMSProp, Rprop)
from mindspore.nn.optim import (
    CosineDecayLR, ExponentialDecayLR, InverseDecayLR, NaturalExpDecayLR, PolynomialDecayLR, WarmUpLR,
    cosine_decay_lr, exponential_decay_lr, inverse_decay_lr, natural_exp_decay_lr, piecewise_constant_lr,
    polynomial_decay_lr, warmup_lr)
from mindspore.nn import dynamic_lr, learning_rate_schedule
