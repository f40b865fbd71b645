// Python's Tensor class: the handle, arithmetic, and reading values. What is long or rare lives in the mindspore
// package, which adds methods to this class.
#include <cstring>

#include "engine/core/convert.hpp"
#include "engine/core/debug_hook.hpp"
#include "engine/exec/dispatch.hpp"
#include "engine/exec/producers.hpp"
#include "engine/exec/watch.hpp"
#include "engine/python/object.hpp"
// clang-format off
#include <structmember.h>  // after Python.h
// clang-format on
#include "fusescope/error.hpp"

namespace fusescope::python {

PyTypeObject* tensor_type = nullptr;

namespace {

constexpr int kFreeObjects = 128;
PyObject* free_objects[kFreeObjects];
int free_count = 0;

PyObject* allocate(PyTypeObject* type) {
    PyObject* self;
    if (type == tensor_type && free_count > 0) {
        self = free_objects[--free_count];
        PyObject_Init(self, type);
    } else {
        self = type->tp_alloc(type, 0);
        if (!self) return nullptr;
    }
    auto* t = reinterpret_cast<TensorObject*>(self);
    new (&t->tensor) Tensor();
    t->weakrefs = nullptr;
    return self;
}

// Until __init__ has run (a subclass may forget to call it) the tensor is the number 0: there are no tensors without a
// value in Python.
PyObject* create(PyTypeObject* type, PyObject*, PyObject*) {
    return guarded<PyObject*>(nullptr, [&] {
        static const auto* zero = new Tensor(Tensor::scalar(0));
        PyObject* self = allocate(type);
        if (self) tensor_of(self) = snapshot_tensor(*zero);
        return self;
    });
}

void destroy(PyObject* self) {
    auto* t = reinterpret_cast<TensorObject*>(self);
    if (t->weakrefs) PyObject_ClearWeakRefs(self);
    t->tensor.~Tensor();
    PyTypeObject* type = Py_TYPE(self);
    if (type == tensor_type && free_count < kFreeObjects) {
        free_objects[free_count++] = self;
        Py_DECREF(type);
        return;
    }
    type->tp_free(self);
    Py_DECREF(type);
}

// Operators -----------------------------------------------------------------------------------------------------------

bool operand(PyObject* o) { return is_tensor(o) || is_number(o); }

// Rows of the operators, looked up once by their mindspore.ops names when the type is made.
enum Operator {
    kAdd,
    kSub,
    kMul,
    kDiv,
    kFloorDivide,
    kFloorMod,
    kPow,
    kMatMul,
    kAnd,
    kOr,
    kXor,
    kNeg,
    kAbs,
    kInvert,
    kLogicalNot,
    kEqual,
    kNotEqual,
    kLess,
    kLessEqual,
    kGreater,
    kGreaterEqual,
    kOperators
};
constexpr const char* kOperatorNames[kOperators] = {
    "add",         "sub",         "mul",        "div",         "floor_divide", "floor_mod", "pow",
    "matmul",      "bitwise_and", "bitwise_or", "bitwise_xor", "neg",          "abs",       "invert",
    "logical_not", "equal",       "not_equal",  "less",        "less_equal",   "greater",   "greater_equal"};
const OpDef* rows[kOperators];

template <Operator Which>
PyObject* binary(PyObject* a, PyObject* b) {
    const OpDef& row = *rows[Which];
    if (!operand(a) || !operand(b)) {
        // An array beside a tensor takes part as a tensor; anything else may know better.
        if (!PyObject_CheckBuffer(is_tensor(a) ? b : a)) Py_RETURN_NOTIMPLEMENTED;
    }
    PyObject* args[2] = {a, b};
    return call_op(row, args, 2, nullptr);
}

template <Operator Which>
PyObject* unary(PyObject* a) {
    return call_op(*rows[Which], &a, 1, nullptr);
}

// ~ turns truths over, or the bits of ints.
PyObject* invert(PyObject* a) {
    return tensor_of(a).dtype() == DType::Bool ? unary<kLogicalNot>(a) : unary<kInvert>(a);
}

PyObject* power(PyObject* a, PyObject* b, PyObject*) { return binary<kPow>(a, b); }
PyObject* positive(PyObject* a) {
    Py_INCREF(a);
    return a;
}

PyObject* compare(PyObject* a, PyObject* b, int how) {
    if (!operand(b) && !PyObject_CheckBuffer(b)) {
        if (how == Py_EQ) Py_RETURN_FALSE;
        if (how == Py_NE) Py_RETURN_TRUE;
        Py_RETURN_NOTIMPLEMENTED;
    }
    switch (how) {
        case Py_EQ:
            return binary<kEqual>(a, b);
        case Py_NE:
            return binary<kNotEqual>(a, b);
        case Py_LT:
            return binary<kLess>(a, b);
        case Py_LE:
            return binary<kLessEqual>(a, b);
        case Py_GT:
            return binary<kGreater>(a, b);
        default:
            return binary<kGreaterEqual>(a, b);
    }
}

Py_hash_t hash(PyObject* self) { return _Py_HashPointer(self); }

int truth(PyObject* self) {
    return guarded(-1, [&] {
        const Tensor& t = tensor_of(self);
        if (t.count() != 1) {
            throw UserError(ErrorKind::value, "",
                            "the truth value of a tensor with " + std::to_string(t.count()) + " elements (shape " +
                                to_string(t.shape()) + ") is ambiguous; use .any() or .all()",
                            {to_string(t.shape())}, "use .any() or .all()");
        }
        const bool answer = t.item() != 0;
        if (DebugHook* hook = context().hook) hook->asked_truth(t, answer);
        return answer ? 1 : 0;
    });
}

PyObject* as_float(PyObject* self) {
    return guarded<PyObject*>(nullptr, [&] { return PyFloat_FromDouble(tensor_of(self).item()); });
}
PyObject* as_int(PyObject* self) {
    return guarded<PyObject*>(nullptr, [&]() -> PyObject* {
        const Tensor& t = tensor_of(self);
        if (is_float(t.dtype())) return PyLong_FromDouble(t.item());
        return PyLong_FromLongLong(t.item_int());
    });
}
PyObject* as_index(PyObject* self) {
    if (is_float(tensor_of(self).dtype()) || tensor_of(self).count() != 1) {
        PyErr_SetString(PyExc_TypeError, "only a tensor with one int element can be an index");
        return nullptr;
    }
    return as_int(self);
}

Py_ssize_t length(PyObject* self) {
    const Tensor& t = tensor_of(self);
    if (t.rank() == 0) {
        PyErr_SetString(PyExc_TypeError, "a tensor of rank 0 has no len()");
        return -1;
    }
    return t.shape()[0];
}

// Reading ------------------------------------------------------------------------------------------------------------

PyObject* element(DType dtype, const void* p, std::int64_t i) {
    if (dtype == DType::Bool) return PyBool_FromLong(load_int(dtype, p, i) != 0);
    if (is_float(dtype)) return PyFloat_FromDouble(load_double(dtype, p, i));
    return PyLong_FromLongLong(load_int(dtype, p, i));
}

PyObject* nested(const Tensor& t, const void* p, int axis, std::int64_t& at) {
    if (axis == t.rank()) return element(t.dtype(), p, at++);
    const Py_ssize_t n = t.shape()[static_cast<std::size_t>(axis)];
    Ref list = checked(PyList_New(n));
    for (Py_ssize_t i = 0; i < n; ++i) {
        PyObject* item = nested(t, p, axis + 1, at);
        if (!item) throw PythonError{};
        PyList_SET_ITEM(list.get(), i, item);
    }
    return list.release();
}

PyObject* tolist(PyObject* self, PyObject*) {
    return guarded<PyObject*>(nullptr, [&] {
        const Tensor& t = tensor_of(self);
        std::int64_t at = 0;
        return nested(t, t.data(), 0, at);
    });
}

PyObject* item(PyObject* self, PyObject* const* args, Py_ssize_t n) {
    return guarded<PyObject*>(nullptr, [&]() -> PyObject* {
        const Tensor& t = tensor_of(self);
        std::int64_t at = 0;
        if (n > 0) {
            PyObject* const* index = args;
            Py_ssize_t count = n;
            Ref tuple;
            if (n == 1 && PyTuple_Check(args[0])) {
                tuple = Ref::borrow(args[0]);
                index = PySequence_Fast_ITEMS(tuple.get());
                count = PyTuple_GET_SIZE(tuple.get());
            }
            if (count != 1 && count != t.rank()) {
                throw UserError(
                    ErrorKind::index, "",
                    "item: " + std::to_string(count) + " indices for a tensor of rank " + std::to_string(t.rank()));
            }
            for (Py_ssize_t k = 0; k < count; ++k) {
                const std::int64_t extent = count == 1 ? t.count() : t.shape()[static_cast<std::size_t>(k)];
                std::int64_t i = PyLong_AsLongLong(index[k]);
                if (i == -1 && PyErr_Occurred()) throw PythonError{};
                if (i < -extent || i >= extent) {
                    throw UserError(
                        ErrorKind::index, "",
                        "item: index " + std::to_string(i) + " is out of range for extent " + std::to_string(extent));
                }
                at = at * extent + (i < 0 ? i + extent : i);
            }
        } else if (t.count() != 1) {
            t.item();  // says what is wrong
        }
        return element(t.dtype(), t.data(), at);
    });
}

PyObject* asnumpy(PyObject* self, PyObject*) {
    return guarded<PyObject*>(nullptr, [&] { return to_numpy(tensor_of(self), TransferReason::read_back); });
}
PyObject* numpy_for_print(PyObject* self, PyObject*) {
    return guarded<PyObject*>(nullptr, [&] { return to_numpy(tensor_of(self), TransferReason::print); });
}
PyObject* array(PyObject* self, PyObject* args, PyObject*) {
    PyObject* dtype = Py_None;
    if (!PyArg_ParseTuple(args, "|O", &dtype)) return nullptr;
    Ref made(asnumpy(self, nullptr));
    if (!made || dtype == Py_None) return made.release();
    return PyObject_CallMethod(made.get(), "astype", "O", dtype);
}

PyObject* shape(PyObject* self, void*) {
    const Shape& s = tensor_of(self).shape();
    PyObject* tuple = PyTuple_New(static_cast<Py_ssize_t>(s.size()));
    for (std::size_t k = 0; tuple && k < s.size(); ++k)
        PyTuple_SET_ITEM(tuple, static_cast<Py_ssize_t>(k), PyLong_FromLongLong(s[k]));
    return tuple;
}
PyObject* dtype(PyObject* self, void*) { return dtype_object(tensor_of(self).dtype()); }
PyObject* ndim(PyObject* self, void*) { return PyLong_FromLong(tensor_of(self).rank()); }
PyObject* size(PyObject* self, void*) { return PyLong_FromLongLong(tensor_of(self).count()); }
PyObject* itemsize(PyObject* self, void*) { return PyLong_FromSize_t(size_of(tensor_of(self).dtype())); }
PyObject* nbytes(PyObject* self, void*) { return PyLong_FromSize_t(tensor_of(self).type().bytes()); }
PyObject* pending(PyObject* self, void*) { return PyBool_FromLong(tensor_of(self).is_pending()); }
PyObject* identity(PyObject* self, void*) { return PyLong_FromVoidPtr(tensor_of(self).impl()); }
PyObject* device(PyObject* self, void*) {
    const char* names[] = {"CPU", "Ascend", "Ascend"};
    return PyUnicode_FromString(names[static_cast<int>(tensor_of(self).device())]);
}

// For the package: Tensor.__init__, Parameter and in-place changes.
PyObject* set_from(PyObject* self, PyObject* args) {
    PyObject* data;
    PyObject* type = Py_None;
    if (!PyArg_ParseTuple(args, "O|O", &data, &type)) return nullptr;
    return guarded<PyObject*>(nullptr, [&]() -> PyObject* {
        std::optional<DType> t;
        if (type != Py_None) t = dtype_from(type);
        Tensor made = tensor_from(data, t ? &*t : nullptr);
        Context& c = context();
        if (!is_tensor(data)) {
            exec::watch_input(c, made, [&] {
                const DType exact = DType::Float64;
                return tensor_from(data, &exact);
            });
        }
        if (c.producers && !is_tensor(data)) c.producers->from_data(made, "Tensor", c.frame(), c.scope);
        tensor_of(self) = std::move(made);
        Py_RETURN_NONE;
    });
}
PyObject* make_parameter(PyObject* self, PyObject* args) {
    const char* name;
    int requires_grad;
    if (!PyArg_ParseTuple(args, "sp", &name, &requires_grad)) return nullptr;
    return guarded<PyObject*>(nullptr, [&]() -> PyObject* {
        Tensor& t = tensor_of(self);
        if (t.is_pending()) t.data(TransferReason::input);
        if (!t.impl()->parameter) {
            // The Parameter gets an identity of its own; its bytes are shared until one side changes.
            t = snapshot_tensor(t);
            t.impl()->parameter = std::make_unique<ParameterInfo>();
            Context& c = context();
            if (c.producers) c.producers->from_data(t, "Parameter", c.frame(), c.scope);
        }
        t.impl()->parameter->name = name;
        t.impl()->parameter->requires_grad = requires_grad != 0;
        Py_RETURN_NONE;
    });
}
PyObject* assign(PyObject* self, PyObject* value) {
    if (!is_tensor(value))
        return PyErr_Format(PyExc_TypeError, "a tensor is wanted, not %.100s", Py_TYPE(value)->tp_name);
    return guarded<PyObject*>(nullptr, [&]() -> PyObject* {
        exec::assign_in_place(context(), tensor_of(self), tensor_of(value));
        Py_RETURN_NONE;
    });
}
PyObject* snapshot(PyObject* self, PyObject*) {
    return guarded<PyObject*>(nullptr, [&] { return wrap(traced_snapshot(context(), tensor_of(self))); });
}

PyMethodDef methods[] = {
    {"asnumpy", asnumpy, METH_NOARGS, "A new numpy array with the value."},
    {"numpy", asnumpy, METH_NOARGS, "A new numpy array with the value."},
    {"_numpy_for_print", numpy_for_print, METH_NOARGS, nullptr},
    {"__array__", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(array)), METH_VARARGS | METH_KEYWORDS, nullptr},
    {"tolist", tolist, METH_NOARGS, "The value as nested lists of Python numbers."},
    {"item", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(item)), METH_FASTCALL,
     "One element as a Python number."},
    {"_set_from", set_from, METH_VARARGS, nullptr},
    {"_make_parameter", make_parameter, METH_VARARGS, nullptr},
    {"_assign", assign, METH_O, nullptr},
    {"_snapshot", snapshot, METH_NOARGS, nullptr},
    {}};

PyGetSetDef getters[] = {{"shape", shape, nullptr, "Extents, a tuple of ints.", nullptr},
                         {"dtype", dtype, nullptr, "Element type.", nullptr},
                         {"ndim", ndim, nullptr, "Number of axes.", nullptr},
                         {"size", size, nullptr, "Number of elements.", nullptr},
                         {"itemsize", itemsize, nullptr, "Bytes of one element.", nullptr},
                         {"nbytes", nbytes, nullptr, "Bytes of all elements.", nullptr},
                         {"device", device, nullptr, "Where the value is.", nullptr},
                         {"_pending", pending, nullptr, nullptr, nullptr},
                         {"_identity", identity, nullptr, nullptr, nullptr},
                         {}};

PyMemberDef members[] = {{"__weaklistoffset__", T_PYSSIZET, offsetof(TensorObject, weakrefs), READONLY, nullptr}, {}};

#define SLOT(slot, f) \
    { slot, reinterpret_cast<void*>(f) }
PyType_Slot slots[] = {SLOT(Py_tp_new, create),
                       SLOT(Py_tp_dealloc, destroy),
                       SLOT(Py_tp_methods, methods),
                       SLOT(Py_tp_getset, getters),
                       SLOT(Py_tp_members, members),
                       SLOT(Py_tp_richcompare, compare),
                       SLOT(Py_tp_hash, hash),
                       SLOT(Py_nb_add, (binary<kAdd>)),
                       SLOT(Py_nb_subtract, (binary<kSub>)),
                       SLOT(Py_nb_multiply, (binary<kMul>)),
                       SLOT(Py_nb_true_divide, (binary<kDiv>)),
                       SLOT(Py_nb_floor_divide, (binary<kFloorDivide>)),
                       SLOT(Py_nb_remainder, (binary<kFloorMod>)),
                       SLOT(Py_nb_power, power),
                       SLOT(Py_nb_matrix_multiply, (binary<kMatMul>)),
                       SLOT(Py_nb_and, (binary<kAnd>)),
                       SLOT(Py_nb_or, (binary<kOr>)),
                       SLOT(Py_nb_xor, (binary<kXor>)),
                       SLOT(Py_nb_negative, (unary<kNeg>)),
                       SLOT(Py_nb_absolute, (unary<kAbs>)),
                       SLOT(Py_nb_invert, invert),
                       SLOT(Py_nb_positive, positive),
                       SLOT(Py_nb_bool, truth),
                       SLOT(Py_nb_float, as_float),
                       SLOT(Py_nb_int, as_int),
                       SLOT(Py_nb_index, as_index),
                       SLOT(Py_mp_length, length),
                       {0, nullptr}};
#undef SLOT
PyType_Spec spec = {"mindspore.Tensor", sizeof(TensorObject), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};

}  // namespace

PyObject* wrap(Tensor t) {
    PyObject* self = allocate(tensor_type);
    if (self) tensor_of(self) = std::move(t);
    return self;
}

Ref tuple_of(std::span<const Tensor> tensors) {
    Ref tuple = checked(PyTuple_New(static_cast<Py_ssize_t>(tensors.size())));
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        PyTuple_SET_ITEM(tuple.get(), static_cast<Py_ssize_t>(i), checked(wrap(tensors[i])).release());
    }
    return tuple;
}

std::vector<Tensor> tensors_from(PyObject* sequence, bool optional) {
    Ref fast = checked(PySequence_Fast(sequence, "a list of tensors is wanted"));
    std::vector<Tensor> list;
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(fast.get()); ++i) {
        PyObject* o = PySequence_Fast_GET_ITEM(fast.get(), i);
        if (optional && o == Py_None) {
            list.emplace_back();
        } else if (is_tensor(o)) {
            list.push_back(tensor_of(o));
        } else {
            PyErr_Format(PyExc_TypeError, "a tensor is wanted, not %.100s", Py_TYPE(o)->tp_name);
            throw PythonError{};
        }
    }
    return list;
}

bool add_tensor_type(PyObject* module) {
    for (int i = 0; i < kOperators; ++i) {
        rows[i] = OpTable::get().find_functional(kOperatorNames[i]);
        if (!rows[i] && i != kMatMul) {
            PyErr_Format(PyExc_SystemError, "the op table has no `%s`, which an operator needs", kOperatorNames[i]);
            return false;
        }
    }
    tensor_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
    return tensor_type && PyModule_AddObjectRef(module, "Tensor", reinterpret_cast<PyObject*>(tensor_type)) == 0;
}

}  // namespace fusescope::python
