"""Metrics: numbers gathered over the batches of an evaluation."""
import math

import numpy


def _array(value):
    return value.asnumpy() if hasattr(value, "asnumpy") else numpy.asarray(value)


class Metric:
    """Base: clear, then update for each batch, then eval."""

    def __init__(self):
        self._indexes = None

    def clear(self):
        raise NotImplementedError(f"{type(self).__name__} has no `clear`")

    def update(self, *inputs):
        raise NotImplementedError(f"{type(self).__name__} has no `update`")

    def eval(self):
        raise NotImplementedError(f"{type(self).__name__} has no `eval`")

    @property
    def indexes(self):
        return self._indexes

    def set_indexes(self, indexes):
        """Which outputs of the evaluation are for update."""
        if not isinstance(indexes, (list, tuple)) or not all(isinstance(i, int) and i >= 0 for i in indexes):
            raise ValueError(f"set_indexes: a list of ints, none below 0, is wanted, but it is {indexes!r}")
        self._indexes = list(indexes)
        return self

    def _two(self, inputs):
        if self._indexes is not None:
            inputs = [inputs[i] for i in self._indexes]
        if len(inputs) != 2:
            raise ValueError(f"{type(self).__name__}: update takes predictions and labels, but it was given "
                             f"{len(inputs)} values")
        return _array(inputs[0]), _array(inputs[1])

    def _some(self, count):
        if count == 0:
            raise RuntimeError(f"{type(self).__name__}: there is nothing to evaluate; was the dataset empty?")


def _classes(caller, predictions, labels):
    """Class numbers of both; labels may be one-hot."""
    if predictions.ndim < 2:
        raise ValueError(f"{caller}: predictions must be [batch, classes], but they are {predictions.shape}")
    if labels.shape == predictions.shape:
        labels = labels.argmax(1)
    if labels.shape != predictions.shape[:1] + predictions.shape[2:]:
        raise ValueError(f"{caller}: predictions are {predictions.shape} and labels {labels.shape}; labels must be class "
                         f"numbers {predictions.shape[:1] + predictions.shape[2:]} or one-hot {predictions.shape}")
    return predictions.argmax(1), labels


def _check_labels(caller, labels, classes):
    """Labels must be numbers of classes, for they say where to count."""
    wrong = labels[(labels < 0) | (labels >= classes)]
    if wrong.size:
        raise ValueError(f"{caller}: a label is {wrong.flat[0]}, but there are {classes} classes, 0 to {classes - 1}")


class Accuracy(Metric):
    """Share of right answers: of classes, or of rows in which all labels are right (`multilabel`)."""

    def __init__(self, eval_type="classification"):
        super().__init__()
        if eval_type not in ("classification", "multilabel"):
            raise ValueError(f"Accuracy: `eval_type` must be 'classification' or 'multilabel', but it is {eval_type!r}")
        self._multilabel = eval_type == "multilabel"
        self.clear()

    def clear(self):
        self._right = self._count = 0

    def update(self, *inputs):
        predictions, labels = self._two(inputs)
        if self._multilabel:
            if predictions.shape != labels.shape:
                raise ValueError(f"Accuracy: predictions are {predictions.shape}, but labels {labels.shape}")
            right = (predictions == labels).reshape(len(labels), -1).all(1)
        else:
            predicted, labels = _classes("Accuracy", predictions, labels)
            right = predicted == labels
        self._right += int(right.sum())
        self._count += right.size

    def eval(self):
        self._some(self._count)
        return self._right / self._count


class ConfusionMatrix(Metric):
    """How often each class (row) was taken for which (column)."""

    def __init__(self, num_classes, normalize="no_norm", threshold=0.5):
        super().__init__()
        if normalize not in ("no_norm", "target", "prediction", "all"):
            raise ValueError(f"ConfusionMatrix: `normalize` must be 'no_norm', 'target', 'prediction' or 'all', "
                             f"but it is {normalize!r}")
        self.num_classes, self._normalize, self._threshold = num_classes, normalize, threshold
        self.clear()

    def clear(self):
        self.confusion_matrix = numpy.zeros((self.num_classes, self.num_classes))

    def update(self, *inputs):
        predictions, labels = self._two(inputs)
        if predictions.ndim == labels.ndim + 1:
            predictions = predictions.argmax(1)
        elif predictions.dtype.kind == "f":
            predictions = predictions > self._threshold
        _check_labels("ConfusionMatrix", labels, self.num_classes)
        _check_labels("ConfusionMatrix, of predictions", predictions.astype(int), self.num_classes)
        numpy.add.at(self.confusion_matrix, (labels.reshape(-1).astype(int), predictions.reshape(-1).astype(int)), 1)

    def eval(self):
        matrix = self.confusion_matrix
        total = {"no_norm": 1, "target": matrix.sum(1, keepdims=True), "prediction": matrix.sum(0, keepdims=True),
                 "all": matrix.sum()}[self._normalize]
        with numpy.errstate(invalid="ignore", divide="ignore"):
            return numpy.nan_to_num(matrix / total)


class _ByClass(Metric):
    """Counts of right, predicted and actual members of each class."""

    def __init__(self, eval_type="classification"):
        super().__init__()
        if eval_type not in ("classification", "multilabel"):
            raise ValueError(f"{type(self).__name__}: `eval_type` must be 'classification' or 'multilabel', "
                             f"but it is {eval_type!r}")
        self._multilabel = eval_type == "multilabel"
        self.clear()

    def clear(self):
        self._right = self._predicted = self._actual = 0

    def update(self, *inputs):
        predictions, labels = self._two(inputs)
        if not self._multilabel:
            classes = predictions.shape[1]
            predicted, labels = _classes(type(self).__name__, predictions, labels)
            _check_labels(type(self).__name__, labels, classes)
            eye = numpy.eye(classes, dtype=int)
            predictions, labels = eye[predicted.reshape(-1)], eye[labels.reshape(-1).astype(int)]
        self._right = self._right + (predictions * labels).sum(0)
        self._predicted = self._predicted + predictions.sum(0)
        self._actual = self._actual + labels.sum(0)

    def _share(self, of, average):
        self._some(numpy.size(of) if not numpy.isscalar(of) else 0)
        each = self._right / numpy.maximum(of, numpy.finfo(float).tiny)
        return float(each.mean()) if average else each


class Precision(_ByClass):
    """Of those put into a class, the share that belongs there."""

    def eval(self, average=False):
        return self._share(self._predicted, average)


class Recall(_ByClass):
    """Of those that belong to a class, the share that was put there."""

    def eval(self, average=False):
        return self._share(self._actual, average)


class Fbeta(_ByClass):
    """Precision and recall in one: (1 + β²) p r / (β² p + r)."""

    def __init__(self, beta):
        if beta <= 0:
            raise ValueError(f"Fbeta: `beta` must be above 0, but it is {beta}")
        self._beta = beta
        super().__init__()

    def eval(self, average=False):
        square = self._beta**2
        self._some(numpy.size(self._actual) if not numpy.isscalar(self._actual) else 0)
        each = (1 + square) * self._right / numpy.maximum(square * self._actual + self._predicted,
                                                          numpy.finfo(float).tiny)
        return float(each.mean()) if average else each


class F1(Fbeta):
    """Fbeta with β = 1."""

    def __init__(self):
        super().__init__(1)


class _Mean(Metric):
    """A sum over what was counted."""

    def __init__(self):
        super().__init__()
        self.clear()

    def clear(self):
        self._sum, self._count = 0.0, 0

    def eval(self):
        self._some(self._count)
        return self._sum / self._count


class _Error(_Mean):
    """The mean over rows of something between predictions and labels of the same shape."""

    def update(self, *inputs):
        predictions, labels = self._two(inputs)
        if predictions.shape != labels.shape:
            raise ValueError(f"{type(self).__name__}: predictions are {predictions.shape}, but labels {labels.shape}")
        self._sum += float(self.between(predictions.astype(numpy.float64) - labels))
        self._count += len(labels) if labels.ndim else 1


class MAE(_Error):
    """Sum of absolute differences, by row."""

    def between(self, difference):
        return numpy.abs(difference).sum()


class MSE(_Error):
    """Sum of squared differences, by row."""

    def between(self, difference):
        return (difference * difference).sum()


class Loss(_Mean):
    """The mean loss of the batches."""

    def update(self, *inputs):
        if len(inputs) != 1:
            raise ValueError(f"Loss: update takes one loss, but it was given {len(inputs)} values")
        loss = _array(inputs[0])
        self._sum += float(loss.mean())
        self._count += 1


class TopKCategoricalAccuracy(Metric):
    """Share of rows whose label is among the k highest."""

    def __init__(self, k):
        super().__init__()
        if isinstance(k, bool) or not isinstance(k, int) or k < 1:
            raise ValueError(f"TopKCategoricalAccuracy: `k` must be an int above 0, but it is {k!r}")
        self.k = k
        self.clear()

    def clear(self):
        self._right = self._count = 0

    def update(self, *inputs):
        predictions, labels = self._two(inputs)
        _, labels = _classes(type(self).__name__, predictions, labels)
        best = numpy.argsort(-predictions, 1, kind="stable")[:, :self.k]
        self._right += int((best == labels[:, None]).any(1).sum())
        self._count += len(labels)

    def eval(self):
        self._some(self._count)
        return self._right / self._count


class Top1CategoricalAccuracy(TopKCategoricalAccuracy):
    def __init__(self):
        super().__init__(1)


class Top5CategoricalAccuracy(TopKCategoricalAccuracy):
    def __init__(self):
        super().__init__(5)


class Perplexity(Metric):
    """exp of the mean of -log of what the right class was given."""

    def __init__(self, ignore_label=None):
        super().__init__()
        self._ignored = ignore_label
        self.clear()

    def clear(self):
        self._sum, self._count = 0.0, 0

    def update(self, *inputs):
        predictions, labels = self._two(inputs)
        labels = labels.reshape(-1).astype(int)
        if predictions.size == 0 or predictions.ndim < 2 or predictions.size != len(labels) * predictions.shape[-1]:
            raise ValueError(f"Perplexity: predictions must be [..., classes] with a label for each row, but they are "
                             f"{predictions.shape} and there are {len(labels)} labels")
        kept = numpy.ones(len(labels), bool) if self._ignored is None else labels != self._ignored
        # What is ignored is often a number of no class, such as -100.
        rows, labels = predictions.reshape(len(labels), -1)[kept], labels[kept]
        _check_labels("Perplexity", labels, rows.shape[1])
        given = rows[numpy.arange(len(labels)), labels]
        self._sum -= float(numpy.log(numpy.maximum(given, 1e-10)).sum())
        self._count += int(kept.sum())

    def eval(self):
        self._some(self._count)
        return math.exp(self._sum / self._count)


_NAMED = {"accuracy": Accuracy, "acc": Accuracy, "precision": Precision, "recall": Recall, "F1": F1, "mae": MAE,
          "mse": MSE, "loss": Loss, "top_1_accuracy": Top1CategoricalAccuracy,
          "top_5_accuracy": Top5CategoricalAccuracy, "perplexity": Perplexity, "confusion_matrix": ConfusionMatrix}


def names():
    """The metrics that have names."""
    return list(_NAMED)


def get_metric_fn(name, *args, **kwargs):
    """The metric of that name."""
    if name not in _NAMED:
        raise KeyError(f"there is no metric '{name}'; there are {', '.join(_NAMED)}")
    return _NAMED[name](*args, **kwargs)


def get_metrics(metrics):
    """{name: metric} of a dict, or of a set or list of names."""
    if metrics is None:
        return {}
    if isinstance(metrics, dict):
        for name, metric in metrics.items():
            if isinstance(metric, type):
                raise TypeError(f"Model: the metric '{name}' is the class {metric.__name__}; make an object of it: "
                                f"{metric.__name__}(...)")
            if not isinstance(metric, Metric):
                raise TypeError(f"Model: the metric '{name}' must be a Metric, but it is {type(metric).__name__}")
        return dict(metrics)
    if isinstance(metrics, (set, list, tuple)):
        return {name: get_metric_fn(name) for name in metrics}
    raise TypeError(f"Model: `metrics` must be a dict or a set of names, but it is {type(metrics).__name__}")
