"""Callbacks: what Model calls while it trains and evaluates."""
import math
import os
import time

import numpy


class Callback:
    """Base. Either the on_… methods or the older ones may be overridden."""

    def __enter__(self):
        return self

    def __exit__(self, *error):
        """Called when training or evaluation ends, with the exception if there was one."""

    def begin(self, run_context):
        pass

    def epoch_begin(self, run_context):
        pass

    def epoch_end(self, run_context):
        pass

    def step_begin(self, run_context):
        pass

    def step_end(self, run_context):
        pass

    def end(self, run_context):
        pass

    def on_train_begin(self, run_context):
        self.begin(run_context)

    def on_train_epoch_begin(self, run_context):
        self.epoch_begin(run_context)

    def on_train_epoch_end(self, run_context):
        self.epoch_end(run_context)

    def on_train_step_begin(self, run_context):
        self.step_begin(run_context)

    def on_train_step_end(self, run_context):
        self.step_end(run_context)

    def on_train_end(self, run_context):
        self.end(run_context)

    def on_eval_begin(self, run_context):
        self.begin(run_context)

    def on_eval_epoch_begin(self, run_context):
        self.epoch_begin(run_context)

    def on_eval_epoch_end(self, run_context):
        self.epoch_end(run_context)

    def on_eval_step_begin(self, run_context):
        self.step_begin(run_context)

    def on_eval_step_end(self, run_context):
        self.step_end(run_context)

    def on_eval_end(self, run_context):
        self.end(run_context)


class RunContext:
    """What callbacks are given: the state of the run, and the wish to stop."""

    def __init__(self, original_args):
        self._original_args = original_args
        self._stop = False

    def original_args(self):
        return self._original_args

    def request_stop(self):
        self._stop = True

    def get_stop_requested(self):
        return self._stop


class _State(dict):
    """Values by key or as attributes."""

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"the run has no value `{name}`") from None

    def __setattr__(self, name, value):
        self[name] = value


class CallbackList:
    """Callbacks as one; the wish of any to stop counts."""

    def __init__(self, callbacks):
        if callbacks is None:
            callbacks = []
        elif isinstance(callbacks, Callback) or not isinstance(callbacks, (list, tuple)):
            callbacks = [callbacks]
        for callback in callbacks:
            if not isinstance(callback, Callback):
                name = getattr(callback, "__name__", "")
                raise TypeError("Model: a callback must be a Callback, but one is " + (
                    f"the class {name}; make an object of it: {name}(...)" if isinstance(callback, type) else
                    f"{type(callback).__name__}"))
        self._callbacks = list(callbacks)

    def __enter__(self):
        for callback in self._callbacks:
            callback.__enter__()
        return self

    def __exit__(self, *error):
        for callback in reversed(self._callbacks):
            callback.__exit__(*error)

    def call(self, name, context):
        for callback in self._callbacks:
            getattr(callback, name)(context)

    def of_the_program(self):
        """Those that hear of evaluations within a training: the program's own. Of those made here the clock does."""
        return CallbackList([c for c in self._callbacks
                             if not type(c).__module__.startswith("mindspore.") or type(c) in (TimeMonitor, LambdaCallback)])

    def needs(self, *names):
        """Whether any callback does something in one of these methods."""
        return any(getattr(type(c), name) is not getattr(Callback, name) for c in self._callbacks for name in names)


def _loss_of(outputs):
    """The loss among what a step gives, as a number."""
    if isinstance(outputs, (tuple, list)):
        outputs = outputs[0]
    if hasattr(outputs, "asnumpy"):
        outputs = outputs.asnumpy()
    return float(numpy.mean(outputs))


def _count(owner, word, value, least=1):
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise ValueError(f"{owner}: `{word}` must be an int of at least {least}, but it is {value!r}")
    return value


class LossMonitor(Callback):
    """Prints the loss every so many steps, and what was evaluated."""

    def __init__(self, per_print_times=1):
        self._every = _count("LossMonitor", "per_print_times", per_print_times, 0)
        self._printed = 0

    def step_end(self, run_context):
        state = run_context.original_args()
        loss = _loss_of(state.net_outputs)
        in_epoch = (state.cur_step_num - 1) % state.batch_num + 1
        if not math.isfinite(loss):
            raise ValueError(f"epoch: {state.cur_epoch_num} step: {in_epoch}. The loss is {loss}, so training is over.")
        if state.cur_step_num < self._printed:
            self._printed = 0
        if self._every and state.cur_step_num - self._printed >= self._every:
            self._printed = state.cur_step_num
            print(f"epoch: {state.cur_epoch_num} step: {in_epoch}, loss is {loss}", flush=True)

    def on_eval_step_end(self, run_context):
        """The loss of an evaluation is told by its metrics."""

    def on_train_epoch_end(self, run_context):
        state = run_context.original_args()
        if state.get("eval_results"):
            print(f"Eval result: epoch {state.cur_epoch_num}, metrics: {state.eval_results}", flush=True)


class TimeMonitor(Callback):
    """Prints the time of each epoch and of its steps."""

    def __init__(self, data_size=None, data_time=False):
        self._steps = None if data_size is None else _count("TimeMonitor", "data_size", data_size)

    def epoch_begin(self, run_context):
        self._began = time.perf_counter()

    def epoch_end(self, run_context):
        milliseconds = (time.perf_counter() - self._began) * 1000
        state = run_context.original_args()
        kind = {"train": "Train epoch", "eval": "Eval"}[state.mode]
        steps = self._steps or state.batch_num
        print(f"{kind} time: {milliseconds:5.3f} ms, per step time: {milliseconds / max(steps, 1):5.3f} ms", flush=True)


class LambdaCallback(Callback):
    """Functions in place of methods."""

    def __init__(self, on_train_epoch_begin=None, on_train_epoch_end=None, on_train_step_begin=None,
                 on_train_step_end=None, on_train_begin=None, on_train_end=None, on_eval_epoch_begin=None,
                 on_eval_epoch_end=None, on_eval_step_begin=None, on_eval_step_end=None, on_eval_begin=None,
                 on_eval_end=None):
        for name, function in list(locals().items()):
            if name.startswith("on_"):
                if function is not None and not callable(function):
                    raise TypeError(f"LambdaCallback: `{name}` must be a function of the run's context, but it is "
                                    f"{type(function).__name__}")
                setattr(self, name, function if function is not None else lambda run_context: None)


class History(Callback):
    """Keeps the loss of each epoch's last step, and what was evaluated."""

    def __init__(self):
        self.history = {}

    def begin(self, run_context):
        self.epoch = {"epoch": []}

    def epoch_end(self, run_context):
        state = run_context.original_args()
        self.epoch["epoch"].append(state.get("cur_epoch_num", 1))
        self.history.setdefault("net_output", []).append(_loss_of(state.net_outputs))
        for name, value in (state.get("eval_results") or {}).items():
            self.history.setdefault(name, []).append(value)

    def on_eval_begin(self, run_context):
        pass

    def on_eval_epoch_end(self, run_context):
        pass


def _one_rate(owner, optimizer):
    """The learning rate that a callback may change."""
    rate = getattr(optimizer, "learning_rate", None)
    if not hasattr(rate, "set_data") or rate.size != 1:
        what = "there is no optimizer" if optimizer is None else f"{type(optimizer).__name__}'s is a schedule"
        raise ValueError(f"{owner}: the learning rate must be one number to be changed, but {what}; make the optimizer "
                         "with a number, such as learning_rate=0.01")
    return rate


class LearningRateScheduler(Callback):
    """Before each step the learning rate becomes function(rate, step)."""

    def __init__(self, learning_rate_function):
        if not callable(learning_rate_function):
            raise TypeError(f"LearningRateScheduler: `learning_rate_function` must be a function of a rate and a step, but "
                            f"it is {type(learning_rate_function).__name__}")
        self._function = learning_rate_function

    def step_begin(self, run_context):
        from mindspore import Tensor
        from mindspore.common import dtype as mstype

        state = run_context.original_args()
        rate = _one_rate("LearningRateScheduler", state.optimizer)
        now = float(rate.asnumpy())
        wanted = self._function(now, state.cur_step_num + 1)
        if wanted != now:
            rate.set_data(Tensor(wanted, mstype.float32))

    def on_eval_step_begin(self, run_context):
        pass


class _Watching(Callback):
    """Looks after each epoch whether a value has become better."""

    def __init__(self, monitor, mode, min_delta=0.0):
        owner = type(self).__name__
        if mode not in ("auto", "min", "max"):
            raise ValueError(f"{owner}: `mode` must be 'auto', 'min' or 'max', but it is {mode!r}")
        self.monitor = monitor
        more = mode == "max" or (mode == "auto" and monitor not in ("loss", "eval_loss", "mae", "mse", "perplexity"))
        self._sign = 1 if more else -1
        self._least = abs(min_delta)
        self._forget()

    def _forget(self):
        self.best = -math.inf
        self.waited = 0

    def on_train_begin(self, run_context):
        self._forget()

    def _value(self, run_context):
        state = run_context.original_args()
        results = state.get("eval_results") or {}
        if self.monitor in results:
            return results[self.monitor]
        if self.monitor.startswith("eval_") and self.monitor[5:] in results:
            return results[self.monitor[5:]]
        if self.monitor == "loss":
            return _loss_of(state.net_outputs)
        if not results:
            return None  # no evaluation in this epoch
        raise ValueError(f"{type(self).__name__}: there is no value '{self.monitor}'; there are loss, "
                         f"{', '.join(results)}")

    def _better(self, value):
        if self._sign * value - self._least > self.best:
            self.best = self._sign * value
            self.waited = 0
            return True
        self.waited += 1
        return False


class EarlyStopping(_Watching):
    """Ends training when a value has not become better for `patience` epochs."""

    def __init__(self, monitor="eval_loss", min_delta=0, patience=0, verbose=False, mode="auto", baseline=None,
                 restore_best_weights=False):
        super().__init__(monitor, mode, min_delta)
        self._patience, self._verbose = _count("EarlyStopping", "patience", patience, 0), verbose
        self._baseline, self._restore, self._kept = baseline, restore_best_weights, None

    def on_train_begin(self, run_context):
        super().on_train_begin(run_context)
        self._kept = None
        if self._baseline is not None:
            self.best = self._sign * self._baseline

    def on_train_epoch_end(self, run_context):
        value = self._value(run_context)
        if value is None:
            return
        state = run_context.original_args()
        if self._better(value):
            if self._restore:
                self._kept = [(p, p.value()) for p in state.train_network.get_parameters()]
        elif self.waited >= max(self._patience, 1):
            run_context.request_stop()
            if self._verbose:
                print(f"epoch {state.cur_epoch_num}: early stopping", flush=True)
            for parameter, kept in self._kept or ():
                parameter.set_data(kept)


class ReduceLROnPlateau(_Watching):
    """Multiplies the learning rate by `factor` when a value has not become better for `patience` epochs."""

    def __init__(self, monitor="eval_loss", factor=0.1, patience=10, verbose=False, mode="auto", min_delta=1e-4,
                 cooldown=0, min_lr=0):
        super().__init__(monitor, mode, min_delta)
        if not 0 < factor < 1:
            raise ValueError(f"ReduceLROnPlateau: `factor` must be between 0 and 1, but it is {factor}")
        self._factor, self._patience, self._verbose = factor, patience, verbose
        self._cooldown, self._least_rate, self._cooling = cooldown, min_lr, 0

    def on_train_epoch_end(self, run_context):
        from mindspore import Tensor
        from mindspore.common import dtype as mstype

        value = self._value(run_context)
        if value is None:
            return
        if self._cooling > 0:
            self._cooling -= 1
            self.waited = 0
        if self._better(value) or self._cooling > 0 or self.waited < self._patience:
            return
        rate = _one_rate("ReduceLROnPlateau", run_context.original_args().optimizer)
        now = float(rate.asnumpy())
        lower = max(now * self._factor, self._least_rate)
        self.waited, self._cooling = 0, self._cooldown
        if lower < now:
            rate.set_data(Tensor(lower, mstype.float32))
            if self._verbose:
                print(f"learning rate is {lower} now", flush=True)


class CheckpointConfig:
    """When ModelCheckpoint saves, and how many files it keeps."""

    def __init__(self, save_checkpoint_steps=1, save_checkpoint_seconds=0, keep_checkpoint_max=5,
                 keep_checkpoint_per_n_minutes=0, integrated_save=True, async_save=False, saved_network=None,
                 append_info=None, enc_key=None, enc_mode="AES-GCM", exception_save=False, crc_check=False,
                 format="ckpt", **options):
        if not save_checkpoint_steps and not save_checkpoint_seconds:
            raise ValueError("CheckpointConfig: `save_checkpoint_steps` or `save_checkpoint_seconds` must be above 0")
        if enc_key is not None:
            raise ValueError("CheckpointConfig: encrypted files are not supported; leave `enc_key` out")
        self.save_checkpoint_steps = save_checkpoint_steps or 0
        self.save_checkpoint_seconds = 0 if save_checkpoint_steps else save_checkpoint_seconds
        self.keep_checkpoint_max = keep_checkpoint_max or 0
        self.saved_network, self.append_info = saved_network, append_info or []
        self.exception_save, self.crc_check, self.format = exception_save, crc_check, format


class ModelCheckpoint(Callback):
    """Saves the network while it trains: PREFIX-EPOCH_STEP.ckpt."""

    def __init__(self, prefix="CKP", directory=None, config=None):
        if callable(prefix):
            self._name, self._prefix = prefix, "CKP"
        elif isinstance(prefix, str) and prefix and "/" not in prefix:
            self._name, self._prefix = None, prefix
        else:
            raise ValueError(f"ModelCheckpoint: `prefix` must be a name without '/', but it is {prefix!r}")
        self._directory = "." if directory is None else directory
        self._config = CheckpointConfig() if config is None else config
        if not isinstance(self._config, CheckpointConfig):
            raise TypeError(f"ModelCheckpoint: `config` must be a CheckpointConfig, but it is {type(config).__name__}")
        self._files = []
        self._last_step, self._last_time, self._context = 0, None, None
        self.latest_ckpt_file_name = ""

    def begin(self, run_context):
        os.makedirs(self._directory, exist_ok=True)
        self._last_step, self._last_time, self._context = 0, time.monotonic(), run_context

    def step_end(self, run_context):
        state = run_context.original_args()
        config = self._config
        if config.save_checkpoint_steps:
            due = state.cur_step_num >= self._last_step + config.save_checkpoint_steps
        else:
            due = time.monotonic() - self._last_time >= config.save_checkpoint_seconds
        if due:
            self._save(state)

    def end(self, run_context):
        state = run_context.original_args()
        if state.cur_step_num != self._last_step:
            self._save(state)

    def __exit__(self, kind, error, trace):
        if kind is not None and self._config.exception_save and self._context is not None:
            state = self._context.original_args()
            if state.get("cur_step_num"):
                self._save(state, "_breakpoint")

    def on_eval_begin(self, run_context):
        pass

    def on_eval_step_end(self, run_context):
        pass

    def on_eval_end(self, run_context):
        pass

    def _save(self, state, ending=""):
        from mindspore.train.serialization import save_checkpoint

        self._last_step, self._last_time = state.cur_step_num, time.monotonic()
        in_epoch = (state.cur_step_num - 1) % state.batch_num + 1
        if self._name is not None:
            name = self._name(state)
        else:
            name = f"{self._prefix}-{state.cur_epoch_num}_{in_epoch}"
        path = os.path.join(self._directory, f"{name}{ending}.{self._config.format}")
        network = self._config.saved_network or state.network or state.train_network
        append = {}
        for item in self._config.append_info:
            if isinstance(item, dict):
                append.update(item)
            elif item in ("epoch_num", "step_num"):
                append[item] = state.cur_epoch_num if item == "epoch_num" else state.cur_step_num
            else:
                raise ValueError(f"CheckpointConfig: `append_info` takes 'epoch_num', 'step_num' and dicts, not {item!r}")
        save_checkpoint(network, path, append_dict=append, crc_check=self._config.crc_check,
                        format=self._config.format)
        self.latest_ckpt_file_name = path
        if path in self._files:
            self._files.remove(path)
        self._files.append(path)
        while self._config.keep_checkpoint_max and len(self._files) > self._config.keep_checkpoint_max:
            oldest = self._files.pop(0)
            if os.path.exists(oldest):
                os.remove(oldest)
