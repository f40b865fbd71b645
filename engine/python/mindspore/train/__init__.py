"""mindspore.train: saving and loading."""
from mindspore.train.serialization import load_checkpoint, load_param_into_net, save_checkpoint
