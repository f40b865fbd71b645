"""nn.Cell: the base of networks. It owns Parameters and other Cells and names them."""
import _fusescope
from mindspore.common import dtype as mstype
from mindspore.common.parameter import Parameter, ParameterTuple

Tensor = _fusescope.Tensor
_push, _pop, _taping = _fusescope.push_scope, _fusescope.pop_scope, _fusescope.taping


class _Handle:
    """What registering a hook gives back."""

    def __init__(self, hooks, key):
        self._hooks, self._key = hooks, key

    def remove(self):
        self._hooks.pop(self._key, None)


class Cell:
    """A part of a network: `construct` computes, attributes that are Parameters or Cells are its own."""

    def __init__(self, auto_prefix=True, flags=None):
        own = self.__dict__
        own["_params"] = {}
        own["_cells"] = {}
        own["_auto_prefix"] = auto_prefix
        own["_scope_name"] = None
        own["training"] = False
        own["requires_grad"] = False
        own["_param_prefix"] = ""
        own["_hooks"] = None
        own["_to_float"] = None  # float inputs and Parameters are taken in this dtype
        own["_gives"] = None  # and float outputs are given in this one
        own["cls_name"] = type(self).__name__

    # A class may say its gradient itself: bprop(*inputs, output, gradient of the output) gives those of the inputs.
    bprop = None

    def construct(self, *args, **kwargs):
        raise AttributeError(f"{type(self).__name__} has no `construct`, so it cannot be called")

    # Calls ----------------------------------------------------------------------------------------------------------

    def __call__(self, *args, **kwargs):
        own = self.__dict__
        name = own.get("_scope_name")
        token = None if name is None else _push(name)
        try:
            if own["_hooks"] or own["_to_float"] or own["_gives"]:
                return self._call_with_hooks(args, kwargs)
            return self._construct(args, kwargs)
        finally:
            if token is not None:
                _pop(token)

    def _construct(self, args, kwargs):
        if self.bprop is not None and _taping():
            from mindspore.ops.grad import with_own_gradient

            return with_own_gradient(self, args, kwargs)
        return self.construct(*args, **kwargs)

    def _construct_in(self, dtype, args, kwargs):
        """With the Parameters as they are in this dtype; gradients go back to the Parameters through the casts."""
        if dtype is None:
            return self._construct(args, kwargs)
        def is_wider(p):
            return p.requires_grad and p.dtype.is_floating_point and p.dtype != dtype

        own = self.__dict__
        lowered = {name: p for name, p in self._params.items() if own.get(name) is p and is_wider(p)}
        lowered.update((name, value) for name, value in own.items()
                       if isinstance(value, ParameterTuple) and any(map(is_wider, value)))
        for name, value in lowered.items():
            own[name] = value.astype(dtype) if isinstance(value, Tensor) else tuple(
                p.astype(dtype) if is_wider(p) else p for p in value)
        try:
            return self._construct(args, kwargs)
        finally:
            own.update(lowered)

    def _call_with_hooks(self, args, kwargs):
        to_float = self._to_float
        if to_float is not None:
            args = _to_float(args, to_float)
            kwargs = _to_float(kwargs, to_float)
        hooks = self._hooks or {}
        for hook in list(hooks.get("forward_pre", {}).values()):
            changed = hook(self, args)
            if changed is not None:
                args = changed if isinstance(changed, tuple) else (changed,)
        output = self._construct_in(to_float, args, kwargs)
        for hook in list(hooks.get("forward", {}).values()):
            changed = hook(self, args, output)
            if changed is not None:
                output = changed
        return output if self._gives is None else _to_float(output, self._gives)

    def _add_hook(self, kind, hook):
        if not callable(hook):
            raise TypeError(f"a hook must be a function, but it is {type(hook).__name__}")
        if self._hooks is None:
            self.__dict__["_hooks"] = {}
        hooks = self._hooks.setdefault(kind, {})
        key = object()
        hooks[key] = hook
        return _Handle(hooks, key)

    def register_forward_pre_hook(self, hook_fn):
        """hook(cell, inputs) runs before construct and may return other inputs."""
        return self._add_hook("forward_pre", hook_fn)

    def register_forward_hook(self, hook_fn):
        """hook(cell, inputs, output) runs after construct and may return another output."""
        return self._add_hook("forward", hook_fn)

    # Ownership ------------------------------------------------------------------------------------------------------

    def __setattr__(self, name, value):
        own = self.__dict__
        params = own.get("_params")
        if isinstance(value, Parameter):
            if params is None:
                raise AttributeError(f"{type(self).__name__}: call super().__init__() before assigning Parameters")
            own["_cells"].pop(name, None)
            self.insert_param_to_cell(name, value)
        elif isinstance(value, ParameterTuple):
            if params is None:
                raise AttributeError(f"{type(self).__name__}: call super().__init__() before assigning Parameters")
            object.__setattr__(self, name, value)
            for item in value:
                if not item._named:
                    item.name = name
                params[item.name] = item
        elif isinstance(value, Cell):
            if params is None:
                raise AttributeError(f"{type(self).__name__}: call super().__init__() before assigning Cells")
            params.pop(name, None)
            self._adopt(name, value)
        else:
            if params is not None:
                if name in params:
                    if isinstance(value, Tensor):
                        params[name].set_data(value)
                        if own.get(name) is not params[name]:  # which is taken in another dtype now
                            own[name] = value.astype(own[name].dtype)
                        return
                    if value is not None:
                        raise TypeError(f"{type(self).__name__}: `{name}` is a Parameter, which takes a Parameter, a "
                                        f"Tensor or None, but not {type(value).__name__}")
                    del params[name]
                elif name in own["_cells"]:
                    del own["_cells"][name]
            object.__setattr__(self, name, value)

    def __delattr__(self, name):
        self._params.pop(name, None)
        self._cells.pop(name, None)
        object.__delattr__(self, name)

    def insert_param_to_cell(self, param_name, param, check_name_contain_dot=True):
        """Makes a Parameter this Cell's own under an attribute's name."""
        if not isinstance(param_name, str):
            raise TypeError(f"insert_param_to_cell: the name must be a string, but it is {type(param_name).__name__}")
        if check_name_contain_dot and "." in param_name:
            raise KeyError(f"insert_param_to_cell: the name must not contain '.', but it is {param_name!r}")
        if not isinstance(param, Parameter):
            raise TypeError(f"insert_param_to_cell: a Parameter is wanted, but it is {type(param).__name__}")
        if not param._named:
            param.name = param_name
        for other_name, other in self._params.items():
            if other is not param and other_name != param_name and other.name == param.name:
                raise ValueError(f"{type(self).__name__}: two Parameters have the name `{param.name}` "
                                 f"(attributes `{other_name}` and `{param_name}`)")
        self._params[param_name] = param
        object.__setattr__(self, param_name, param)

    def _adopt(self, name, cell):
        if self._auto_prefix:
            cell._prefix_names(name + ".")
        cell.__dict__["_scope_name"] = f"{name}-{type(cell).__name__}"
        self._cells[name] = cell
        object.__setattr__(self, name, cell)
        self._check_names(name)

    def _check_names(self, child):
        seen = {}
        for path, parameter in self.parameters_and_names():
            other = seen.setdefault(parameter.name, (path, parameter))
            if other[1] is not parameter:
                raise ValueError(f"{type(self).__name__}: two Parameters have the name `{parameter.name}` "
                                 f"({other[0]} and {path}); give one another name")

    def _prefix_names(self, prefix):
        if self._param_prefix == "" or not self._param_prefix.startswith(prefix):
            for _, parameter in self.parameters_and_names():
                if not parameter.name.startswith(prefix):
                    parameter.name = prefix + parameter.name
            self.__dict__["_param_prefix"] = prefix

    def update_parameters_name(self, prefix="", recurse=True):
        """Puts `prefix` before all Parameters' names."""
        for _, parameter in self.parameters_and_names(expand=recurse):
            parameter.name = prefix + parameter.name

    def insert_child_to_cell(self, child_name, child_cell):
        """Makes a Cell this Cell's own under an attribute's name."""
        if not isinstance(child_name, str):
            raise TypeError(f"insert_child_to_cell: the name must be a string, but it is {type(child_name).__name__}")
        if not isinstance(child_cell, Cell):
            raise TypeError(f"insert_child_to_cell: a Cell is wanted, but it is {type(child_cell).__name__}")
        if child_name in self._cells:
            raise KeyError(f"insert_child_to_cell: there is a child named {child_name!r} already")
        self._adopt(child_name, child_cell)

    # Looking through ------------------------------------------------------------------------------------------------

    def cells_and_names(self, cells=None, name_prefix=""):
        """(path, Cell) of this Cell and all inside, each once."""
        cells = set() if cells is None else cells
        if id(self) in cells:
            return
        cells.add(id(self))
        yield name_prefix, self
        for name, cell in self._cells.items():
            if cell is not None:
                yield from cell.cells_and_names(cells, f"{name_prefix}.{name}" if name_prefix else name)

    def parameters_and_names(self, name_prefix="", expand=True):
        """(path, Parameter) of all Parameters, each once, in order of registration."""
        seen = set()
        for path, cell in self.cells_and_names(name_prefix=name_prefix) if expand else ((name_prefix, self),):
            for name, parameter in cell._params.items():
                if parameter is not None and id(parameter) not in seen:
                    seen.add(id(parameter))
                    yield (f"{path}.{name}" if path else name), parameter

    def get_parameters(self, expand=True):
        for _, parameter in self.parameters_and_names(expand=expand):
            yield parameter

    def trainable_params(self, recurse=True):
        """Parameters that want gradients, in order of registration."""
        return [p for p in self.get_parameters(recurse) if p.requires_grad]

    def untrainable_params(self, recurse=True):
        return [p for p in self.get_parameters(recurse) if not p.requires_grad]

    def parameters_dict(self, recurse=True):
        return {p.name: p for p in self.get_parameters(recurse)}

    def cells(self):
        """The direct children."""
        return self._cells.values()

    def name_cells(self):
        """The direct children by name."""
        return dict(self._cells)

    children, named_children = cells, name_cells

    @property
    def param_prefix(self):
        return self._param_prefix

    # Switches -------------------------------------------------------------------------------------------------------

    def set_train(self, mode=True):
        """Training or evaluation, here and in all Cells inside."""
        for _, cell in self.cells_and_names():
            cell.__dict__["training"] = bool(mode)
        return self

    def set_grad(self, requires_grad=True):
        self.__dict__["requires_grad"] = requires_grad
        return self

    def set_inputs(self, *inputs, **kwargs):
        """Accepted so that scripts run: shapes are taken from the calls."""

    def to_float(self, dst_type):
        """Here and in all Cells inside, float inputs and Parameters are taken in this dtype; Parameters stay what they
        are."""
        if dst_type not in (mstype.float16, mstype.bfloat16, mstype.float32):
            raise ValueError(f"{type(self).__name__}.to_float: `dst_type` must be mindspore.float16, mindspore.bfloat16 or "
                             f"mindspore.float32, but it is {dst_type!r}")
        for _, cell in self.cells_and_names():
            cell._compute_in(dst_type, None)
        return self

    def _compute_in(self, dtype, gives):
        self.__dict__["_to_float"], self.__dict__["_gives"] = dtype, gives

    def _give_as(self, dtype):
        self.__dict__["_gives"] = dtype

    def set_comm_fusion(self, fusion_type, recurse=True):
        return self

    def recompute(self, **kwargs):
        """Accepted so that scripts run: all values are kept."""

    def apply(self, fn):
        """fn(cell) for this Cell and all inside."""
        for _, cell in list(self.cells_and_names()):
            fn(cell)
        return self

    def init_parameters_data(self, auto_parallel_mode=False):
        return {}

    def compile(self, *args, **kwargs):
        """Accepted so that scripts run: graphs are made when they are called."""

    @property
    def phase(self):
        return "train" if self.training else "predict"

    # Text -----------------------------------------------------------------------------------------------------------

    def extend_repr(self):
        """What stands in the parentheses of this Cell's repr."""
        return ""

    def __repr__(self):
        extra = self.extend_repr()
        head = type(self).__name__ + "("
        if not self._cells:
            return head + extra + ")"
        lines = []
        for name, cell in self._cells.items():
            text = repr(cell).replace("\n", "\n  ")
            lines.append(f"  ({name}): {text}")
        return head + (extra + "\n" if extra else "\n") + "\n".join(lines) + "\n)"

    def __deepcopy__(self, memo):
        import copy

        twin = object.__new__(type(self))
        memo[id(self)] = twin
        for name, value in self.__dict__.items():
            twin.__dict__[name] = copy.deepcopy(value, memo)
        return twin


def _to_float(value, dtype):
    if isinstance(value, Tensor):
        return value.astype(dtype) if value.dtype.is_floating_point and value.dtype != dtype else value
    if type(value) in (tuple, list):
        return type(value)(_to_float(item, dtype) for item in value)
    if type(value) is dict:
        return {name: _to_float(item, dtype) for name, item in value.items()}
    return value
