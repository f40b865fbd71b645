"""mindspore.train: Model with its callbacks and metrics, mixed precision, saving and loading."""
from mindspore.train.serialization import load_checkpoint, load_param_into_net, save_checkpoint

# Imported when they are first used: they need numpy, and most programs do without.
_LATER = {
    "amp": ("build_train_network",),
    "callback": ("Callback", "CheckpointConfig", "EarlyStopping", "History", "LambdaCallback", "LearningRateScheduler",
                 "LossMonitor", "ModelCheckpoint", "ReduceLROnPlateau", "RunContext", "TimeMonitor"),
    "loss_scale_manager": ("DynamicLossScaleManager", "FixedLossScaleManager", "LossScaleManager"),
    "metrics": ("Accuracy", "ConfusionMatrix", "F1", "Fbeta", "Loss", "MAE", "MSE", "Metric", "Perplexity", "Precision",
                "Recall", "Top1CategoricalAccuracy", "Top5CategoricalAccuracy", "TopKCategoricalAccuracy",
                "get_metric_fn", "names"),
    "model": ("Model",),
}
_MODULE_OF = {name: module for module, names in _LATER.items() for name in names}


def __getattr__(name):
    import importlib

    if name in _LATER:
        return importlib.import_module(f"mindspore.train.{name}")
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'mindspore.train' has no attribute '{name}'")
    value = getattr(importlib.import_module(f"mindspore.train.{_MODULE_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__():
    return sorted({*globals(), *_LATER, *_MODULE_OF})
