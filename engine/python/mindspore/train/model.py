"""Model: training, evaluation and prediction of a network over datasets."""
import contextlib

import numpy

import _fusescope
from mindspore import nn
from mindspore.nn.cell import Cell
from mindspore.train.amp import auto_mixed_precision, build_train_network
from mindspore.train.callback import CallbackList, RunContext, _State
from mindspore.train.metrics import Loss, get_metrics

Tensor = _fusescope.Tensor


def _number(caller, word, value, least=1):
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{caller}: `{word}` must be an int, but it is {type(value).__name__}")
    if value < least:
        raise ValueError(f"{caller}: `{word}` must be at least {least}, but it is {value}")
    return value


def _batches(dataset):
    """Rows for one epoch, as tuples."""
    from mindspore.dataset.pipeline import Dataset

    if isinstance(dataset, Dataset):
        return dataset.create_tuple_iterator(num_epochs=1)
    return iter(dataset)


def _checked_dataset(caller, dataset):
    if not hasattr(dataset, "__iter__"):
        raise TypeError(f"{caller}: the dataset must be a mindspore.dataset, but it is {type(dataset).__name__}")
    return dataset


def _row(row):
    values = row.values() if isinstance(row, dict) else row if isinstance(row, (tuple, list)) else (row,)
    return tuple(Tensor(v) if isinstance(v, numpy.ndarray) and v.dtype.kind in "biuf" else v for v in values)


def _steps_of(caller, dataset):
    """Batches of an epoch."""
    if hasattr(dataset, "get_dataset_size"):
        return dataset.get_dataset_size()
    try:
        return len(dataset)
    except TypeError:
        raise TypeError(f"{caller}: the dataset is a {type(dataset).__name__}, which does not say how many batches it has; "
                        "give a mindspore.dataset, such as GeneratorDataset, or a list of batches") from None


def _described(value):
    """What something is, for a message; a class that was not called is told as such."""
    if isinstance(value, type):
        return f"the class {value.__name__}; make an object of it: {value.__name__}(...)"
    return type(value).__name__


class Model:
    """A network with its loss, optimizer and metrics."""

    def __init__(self, network, loss_fn=None, optimizer=None, metrics=None, eval_network=None, eval_indexes=None,
                 amp_level="O0", boost_level="O0", **kwargs):
        if not isinstance(network, Cell):
            raise TypeError(f"Model: `network` must be a Cell, but it is {type(network).__name__}")
        for word in kwargs:
            if word not in ("keep_batchnorm_fp32", "loss_scale_manager", "boost_config_dict", "optimizer_process"):
                raise TypeError(f"Model: there is no argument `{word}`")
        if loss_fn is not None and (isinstance(loss_fn, type) or not callable(loss_fn)):
            raise TypeError("Model: `loss_fn` must be a Cell or a function, but it is " + _described(loss_fn))
        if optimizer is not None and not isinstance(optimizer, Cell):
            raise TypeError("Model: `optimizer` must be an optimizer of nn, but it is " + _described(optimizer))
        self._network, self._loss_fn, self._optimizer = network, loss_fn, optimizer
        self._amp_level, self._options = amp_level, kwargs
        self._metrics = get_metrics(metrics)
        self._eval_indexes = eval_indexes
        if amp_level != "O0" and optimizer is None:
            auto_mixed_precision(network, amp_level)
        self._train_network = self._built_for_training()
        self._eval_network = eval_network
        if eval_network is None and self._metrics:
            self._eval_network = network if loss_fn is None else nn.WithEvalCell(network, loss_fn, amp_level in ("O2", "O3"))
            if loss_fn is not None and eval_indexes is None:
                self._eval_indexes = [0, 1, 2]
        if self._eval_indexes is not None:
            if len(self._eval_indexes) != 3:
                raise ValueError(f"Model: `eval_indexes` must say where loss, predictions and labels are, but it is "
                                 f"{self._eval_indexes!r}")
            loss, predicted, label = self._eval_indexes
            for metric in self._metrics.values():
                if metric.indexes is None and not isinstance(metric, Loss):
                    metric.set_indexes([predicted, label])
        self.epoch_iter = 0

    def _built_for_training(self):
        if self._optimizer is None:
            # Then the network makes its steps by itself, or there is no training.
            return self._network if self._loss_fn is None else nn.WithLossCell(self._network, self._loss_fn)
        return build_train_network(self._network, self._optimizer, self._loss_fn, self._amp_level, **self._options)

    @property
    def train_network(self):
        return self._train_network

    @property
    def eval_network(self):
        return self._eval_network

    @property
    def predict_network(self):
        return self._network

    # Training -------------------------------------------------------------------------------------------------------

    def train(self, epoch, train_dataset, callbacks=None, dataset_sink_mode=False, sink_size=-1, initial_epoch=0):
        """Trains for `epoch` epochs, or until a callback wishes to stop."""
        self._fit("Model.train", epoch, train_dataset, None, 1, callbacks, sink_size, initial_epoch)

    def fit(self, epoch, train_dataset, valid_dataset=None, valid_frequency=1, callbacks=None, dataset_sink_mode=False,
            valid_dataset_sink_mode=False, sink_size=-1, initial_epoch=0):
        """Trains, and evaluates after every `valid_frequency` epochs or after those that are listed."""
        if valid_dataset is not None and not self._metrics:
            raise ValueError("Model.fit: `valid_dataset` needs `metrics` in the Model")
        self._fit("Model.fit", epoch, train_dataset, valid_dataset, valid_frequency, callbacks, sink_size, initial_epoch)

    def build(self, train_dataset=None, valid_dataset=None, sink_size=-1, epoch=1, sink_mode=True):
        """Accepted so that programs run: graphs are made when they are first called."""

    def _fit(self, caller, epochs, dataset, valid, frequency, callbacks, sink_size, initial_epoch):
        _number(caller, "epoch", epochs)
        if _number(caller, "initial_epoch", initial_epoch, 0) >= epochs:
            raise ValueError(f"{caller}: `initial_epoch` must be below `epoch` ({epochs}), but it is {initial_epoch}")
        _checked_dataset(caller, dataset)
        if valid is not None:
            _checked_dataset(caller, valid)
            for each in frequency if isinstance(frequency, (list, tuple, set)) else (frequency,):
                _number(caller, "valid_frequency", each)
        if isinstance(sink_size, bool) or not isinstance(sink_size, int) or sink_size < -1 or sink_size == 0:
            raise ValueError(f"{caller}: `sink_size` must be -1 (the whole dataset) or above 0, but it is {sink_size!r}")
        steps = _steps_of(caller, dataset)
        if steps == 0:
            raise ValueError(f"{caller}: the dataset gives no batch; are there fewer rows than one batch, which "
                             "drop_remainder leaves out?")
        if sink_size > 0:
            steps = min(steps, sink_size)
        watchers = CallbackList(callbacks)
        state = _State(
            network=self._network, loss_fn=self._loss_fn, optimizer=self._optimizer, train_network=self._train_network,
            eval_network=self._eval_network, parallel_mode="stand_alone", device_number=1, metrics=self._metrics,
            train_dataset=dataset, valid_dataset=valid, list_callback=watchers, epoch_num=epochs, batch_num=steps,
            mode="train", cur_step_num=initial_epoch * steps, cur_epoch_num=initial_epoch, dataset_sink_mode=False,
            eval_results={}, net_outputs=None, last_save_ckpt_step=None, latest_ckpt_file="")
        context = RunContext(state)
        self._train_network.set_train()
        with watchers:
            watchers.call("on_train_begin", context)
            for number in range(initial_epoch + 1, epochs + 1):
                state.cur_epoch_num = self.epoch_iter = number
                self._epoch(context, watchers, steps)
                evaluated = number in frequency if isinstance(frequency, (list, tuple, set)) else number % frequency == 0
                state.eval_results = {}
                if valid is not None and evaluated and not context.get_stop_requested():
                    state.eval_results = {f"eval_{name}": value for name, value in
                                          self._evaluated(valid, watchers.of_the_program()).items()}
                    self._train_network.set_train()
                watchers.call("on_train_epoch_end", context)
                if context.get_stop_requested():
                    break
            watchers.call("on_train_end", context)

    def _epoch(self, context, watchers, steps):
        state = context.original_args()
        self._back_to_training()
        watchers.call("on_train_epoch_begin", context)
        self._back_to_training()
        for done, row in enumerate(_batches(state.train_dataset), 1):
            row = _row(row)
            state.train_dataset_element = row
            watchers.call("on_train_step_begin", context)
            state.cur_step_num += 1
            state.net_outputs = self._step(row)
            manager = self._options.get("loss_scale_manager")
            if manager is not None and isinstance(state.net_outputs, tuple) and len(state.net_outputs) == 3:
                manager.update_loss_scale(bool(state.net_outputs[1]))
            watchers.call("on_train_step_end", context)
            self._back_to_training()
            if context.get_stop_requested() or done == steps:
                break

    def _back_to_training(self):
        """A callback may have evaluated or predicted, which leaves the network as for evaluation."""
        if not self._network.training:
            self._train_network.set_train()

    def _step(self, row):
        if self._loss_fn is not None and len(row) != 2:
            raise ValueError(f"Model: with `loss_fn` a batch must be data and label, but it has {len(row)} columns; join "
                             "them in the network, or use .project([...]) on the dataset")
        return self._train_network(*row)

    # Evaluation -----------------------------------------------------------------------------------------------------

    def eval(self, valid_dataset, callbacks=None, dataset_sink_mode=False):
        """The metrics over a dataset, by name."""
        if not self._metrics:
            raise ValueError("Model.eval: there are no `metrics` in the Model")
        return self._evaluated(_checked_dataset("Model.eval", valid_dataset), callbacks)

    def _evaluated(self, dataset, callbacks):
        entered = isinstance(callbacks, CallbackList)  # those of a training, which goes on afterwards
        watchers = callbacks if entered else CallbackList(callbacks)
        size = _steps_of("Model.eval", dataset)
        state = _State(network=self._network, eval_network=self._eval_network, metrics=self._metrics, mode="eval",
                       valid_dataset=dataset, batch_num=size, cur_step_num=0, cur_epoch_num=self.epoch_iter or 1,
                       epoch_num=1, loss_fn=self._loss_fn, optimizer=self._optimizer, list_callback=watchers,
                       dataset_sink_mode=False, parallel_mode="stand_alone", device_number=1, net_outputs=None,
                       eval_results={})
        context = RunContext(state)
        for metric in self._metrics.values():
            metric.clear()
        self._eval_network.set_train(False)
        with contextlib.nullcontext() if entered else watchers:
            watchers.call("on_eval_begin", context)
            watchers.call("on_eval_epoch_begin", context)
            for row in _batches(dataset):
                row = _row(row)
                if isinstance(self._eval_network, nn.WithEvalCell) and len(row) != 2:
                    raise ValueError(f"Model.eval: with `loss_fn` a batch must be data and label, but it has {len(row)} "
                                     "columns; give an `eval_network`, or use .project([...]) on the dataset")
                state.cur_step_num += 1
                watchers.call("on_eval_step_begin", context)
                outputs = self._eval_network(*row)
                outputs = outputs if isinstance(outputs, (tuple, list)) else (outputs,)
                state.net_outputs = outputs
                for metric in self._metrics.values():
                    if isinstance(metric, Loss) and self._eval_indexes is not None:
                        metric.update(outputs[self._eval_indexes[0]])
                    else:
                        metric.update(*outputs)
                watchers.call("on_eval_step_end", context)
                if context.get_stop_requested() or state.cur_step_num == size:
                    break
            results = {name: metric.eval() for name, metric in self._metrics.items()}
            state.eval_results = results
            watchers.call("on_eval_epoch_end", context)
            watchers.call("on_eval_end", context)
        return results

    def predict(self, *predict_data, backend=None, config=None):
        """What the network gives for one batch, as in evaluation."""
        self._network.set_train(False)
        return self._network(*predict_data)
