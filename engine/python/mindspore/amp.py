"""mindspore.amp: mixed precision."""
from mindspore.train.amp import (
    DynamicLossScaler, LossScaler, StaticLossScaler, all_finite, auto_mixed_precision, build_train_network,
    custom_mixed_precision, get_black_list, get_white_list, init_status, is_finite)
from mindspore.train.loss_scale_manager import DynamicLossScaleManager, FixedLossScaleManager, LossScaleManager
