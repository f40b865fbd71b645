// The functions of mindspore.ops and the methods of Tensor, made from the op table: one callable type that binds Python
// arguments by the row's schema and dispatches.
#include <cstring>

#include "engine/core/promote.hpp"
#include "engine/core/small_tensors.hpp"
#include "engine/exec/dispatch.hpp"
#include "engine/exec/watch.hpp"
#include "engine/python/object.hpp"
// clang-format off
#include <structmember.h>  // after Python.h
// clang-format on
#include "fusescope/error.hpp"

namespace fusescope::python {
namespace {

struct OpFunction {
    PyObject_HEAD vectorcallfunc vectorcall;
    const OpDef* op;
    PyObject* name;
    PyObject* doc;
};
PyTypeObject* function_type = nullptr;

std::string signature_text(const OpDef& op) {
    std::string s;
    for (const Operand& o : op.schema.operands) {
        s += (s.empty() ? "" : ", ") + o.name + (o.kind == OperandKind::optional ? "=None" : "");
    }
    for (const AttrSpec& a : op.schema.attributes) {
        s += (s.empty() ? "" : ", ") + a.name + (a.required ? "" : "=" + to_json(a.default_value));
    }
    return op.schema.functional + "(" + s + ")";
}

// The parameters of all rows, as interned strings, in op order.
const std::vector<std::vector<PyObject*>>& parameter_names() {
    static const auto* names = [] {
        auto* all = new std::vector<std::vector<PyObject*>>;
        for (const OpDef& op : OpTable::get().rows()) {
            std::vector<PyObject*> row;
            for (const Operand& o : op.schema.operands) row.push_back(PyUnicode_InternFromString(o.name.c_str()));
            for (const AttrSpec& a : op.schema.attributes) row.push_back(PyUnicode_InternFromString(a.name.c_str()));
            all->push_back(std::move(row));
        }
        return all;
    }();
    return *names;
}

[[noreturn]] void wrong_call(const OpDef& op, const std::string& what) {
    throw UserError(ErrorKind::type, op.name(),
                    op.schema.functional + ": " + what + "; the form is " + signature_text(op));
}

std::string type_name(PyObject* o) { return Py_TYPE(o)->tp_name; }

// x.reshape(2, 3) and x.transpose(1, 0): the ints of a list that is the only attribute may stand alone.
bool spreads(const OpDef& op) {
    const auto& attributes = op.schema.attributes;
    return attributes.size() == 1 &&
           (attributes[0].type == AttrType::ints || attributes[0].type == AttrType::optional_ints);
}

// Sorts positional and keyword arguments into the row's parameters; null where none is given.
void bind(const OpDef& op, PyObject* const* args, Py_ssize_t positional, PyObject* keyword_names, PyObject** bound,
          std::size_t count) {
    const auto& names = parameter_names()[static_cast<std::size_t>(op.id)];
    std::fill(bound, bound + count, nullptr);
    const std::size_t given = static_cast<std::size_t>(positional);
    if (given > count && !spreads(op)) {
        wrong_call(
            op, "takes at most " + std::to_string(count) + " arguments, but " + std::to_string(given) + " were given");
    }
    for (std::size_t i = 0; i < std::min(given, count); ++i) bound[i] = args[i];
    if (!keyword_names) return;
    const Py_ssize_t keywords = PyTuple_GET_SIZE(keyword_names);
    for (Py_ssize_t k = 0; k < keywords; ++k) {
        PyObject* name = PyTuple_GET_ITEM(keyword_names, k);
        std::size_t at = count;
        for (std::size_t i = 0; i < count && at == count; ++i) {
            if (names[i] == name) at = i;
        }
        for (std::size_t i = 0; i < count && at == count; ++i) {
            if (PyUnicode_Compare(names[i], name) == 0) at = i;
        }
        // MindSpore spells this one both ways.
        if (at == count) {
            const char* word = PyUnicode_AsUTF8(name);
            if (word &&
                (!std::strcmp(word, "keepdim") || !std::strcmp(word, "keepdims") || !std::strcmp(word, "keep_dims"))) {
                for (std::size_t i = 0; i < count; ++i) {
                    if (std::string_view(PyUnicode_AsUTF8(names[i])).starts_with("keep")) at = i;
                }
            } else if (word && (!std::strcmp(word, "dim") || !std::strcmp(word, "axis"))) {
                for (std::size_t i = 0; i < count; ++i) {
                    const std::string_view n = PyUnicode_AsUTF8(names[i]);
                    if (n == "axis" || n == "dim") at = i;
                }
            } else if (word &&
                       (!std::strcmp(word, "x") || !std::strcmp(word, "input") || !std::strcmp(word, "input_x"))) {
                at = 0;
            } else if (word && (!std::strcmp(word, "y") || !std::strcmp(word, "other")) &&
                       op.schema.operands.size() > 1) {
                at = 1;
            }
            PyErr_Clear();
        }
        if (at == count)
            wrong_call(
                op, std::string("has no argument `") + (PyUnicode_AsUTF8(name) ? PyUnicode_AsUTF8(name) : "?") + "`");
        if (bound[at]) wrong_call(op, std::string("got `") + PyUnicode_AsUTF8(name) + "` twice");
        bound[at] = args[positional + k];
    }
}

PyObject* finish(std::vector<Tensor>& outputs, int declared) {
    if (declared == 1) return wrap(std::move(outputs[0]));
    return tuple_of(outputs).release();
}

PyObject* call_slow(const OpDef& op, PyObject* const* args, Py_ssize_t positional, PyObject* keyword_names) {
    const auto& operands = op.schema.operands;
    const auto& attributes = op.schema.attributes;
    const std::size_t count = operands.size() + attributes.size();
    PyObject* bound[32];
    if (count > 32) wrong_call(op, "has too many parameters");
    bind(op, args, positional, keyword_names, bound, count);

    std::vector<Tensor> inputs;
    inputs.reserve(operands.size());
    std::vector<std::pair<std::size_t, PyObject*>> numbers;  // operands to be made once the tensors' dtype is known
    bool any_tensor = false;
    DType common = DType::Bool;
    auto take = [&](PyObject* o, const Operand& operand) {
        if (is_tensor(o)) {
            inputs.push_back(tensor_of(o));
            if (operand.accept != Accept::boolean) {
                common = any_tensor ? promote(common, inputs.back().dtype()) : inputs.back().dtype();
                any_tensor = true;
            }
        } else if (is_number(o)) {
            numbers.emplace_back(inputs.size(), o);
            inputs.emplace_back();
        } else if (PyObject_CheckBuffer(o) || PyList_Check(o) || PyTuple_Check(o) ||
                   PyObject_HasAttrString(o, "__array__")) {
            inputs.push_back(tensor_from(o, nullptr));
            exec::watch_input(context(), inputs.back(), [&] {
                const DType exact = DType::Float64;
                return tensor_from(o, &exact);
            });
            common = any_tensor ? promote(common, inputs.back().dtype()) : inputs.back().dtype();
            any_tensor = true;
        } else {
            wrong_call(op, "`" + operand.name + "` must be a tensor or a number, but it is " + type_name(o));
        }
    };
    for (std::size_t i = 0; i < operands.size(); ++i) {
        const Operand& operand = operands[i];
        PyObject* o = bound[i];
        if (operand.kind == OperandKind::list) {
            if (!o) wrong_call(op, "`" + operand.name + "` is missing");
            if (is_tensor(o) && i == 0 && operands.size() == 1) {
                // A tensor where a list of tensors is wanted: its slices along the first axis would be meant.
                wrong_call(op, "`" + operand.name + "` must be a list or tuple of tensors, but it is one tensor");
            }
            Ref fast(PySequence_Fast(o, ""));
            if (!fast) {
                PyErr_Clear();
                wrong_call(op, "`" + operand.name + "` must be a list or tuple of tensors, but it is " + type_name(o));
            }
            for (Py_ssize_t k = 0; k < PySequence_Fast_GET_SIZE(fast.get()); ++k) {
                take(PySequence_Fast_GET_ITEM(fast.get(), k), operand);
            }
            continue;
        }
        if (!o || o == Py_None) {
            if (operand.kind != OperandKind::optional) wrong_call(op, "`" + operand.name + "` is missing");
            inputs.emplace_back();
            continue;
        }
        take(o, operand);
    }
    for (auto& [i, o] : numbers) {
        const Operand& operand = operands[std::min(i, operands.size() - 1)];
        if (operand.accept == Accept::boolean) {
            inputs[i] = Tensor::scalar_int(PyObject_IsTrue(o) == 1, DType::Bool);
        } else {
            inputs[i] = number_tensor(o, any_tensor ? &common : nullptr);
        }
    }
    Attrs attrs;
    for (std::size_t k = 0; k < attributes.size(); ++k) {
        PyObject* o = bound[operands.size() + k];
        const bool spread =
            spreads(op) && static_cast<std::size_t>(positional) > operands.size() + 1 && o && PyIndex_Check(o);
        if (spread) {
            Ints list;
            for (std::size_t i = operands.size(); i < static_cast<std::size_t>(positional); ++i) {
                list.push_back(
                    std::get<Ints>(attribute_from(args[i], {attributes[0].name, AttrType::ints, {}, true}, op))[0]);
            }
            attrs.push_back(list);
            continue;
        }
        // None stands for the default where None itself is no value.
        const bool left_out = o == Py_None && !attributes[k].required && attributes[k].type <= AttrType::ints;
        if (o && !left_out) {
            attrs.push_back(attribute_from(o, attributes[k], op));
        } else if (attributes[k].required) {
            wrong_call(op, "`" + attributes[k].name + "` is missing");
        } else {
            attrs.push_back(attributes[k].default_value);
        }
    }
    std::vector<Tensor> outputs;
    exec::dispatch(context(), op, inputs, attrs, outputs);
    return finish(outputs, op.schema.outputs);
}

PyObject* vectorcall(PyObject* self, PyObject* const* args, std::size_t flags, PyObject* keyword_names) {
    return call_op(*reinterpret_cast<OpFunction*>(self)->op, args, PyVectorcall_NARGS(flags), keyword_names);
}

// As a method: x.sum() calls the function with x first.
PyObject* bind_method(PyObject* self, PyObject* object, PyObject*) {
    if (!object || object == Py_None) {
        Py_INCREF(self);
        return self;
    }
    return PyMethod_New(self, object);
}

void destroy(PyObject* self) {
    auto* f = reinterpret_cast<OpFunction*>(self);
    Py_XDECREF(f->name);
    Py_XDECREF(f->doc);
    PyTypeObject* type = Py_TYPE(self);
    type->tp_free(self);
    Py_DECREF(type);
}

PyObject* text(PyObject* self) {
    return PyUnicode_FromFormat("<function mindspore.ops.%U>", reinterpret_cast<OpFunction*>(self)->name);
}

PyMemberDef members[] = {{"__vectorcalloffset__", T_PYSSIZET, offsetof(OpFunction, vectorcall), READONLY, nullptr},
                         {"__name__", T_OBJECT, offsetof(OpFunction, name), READONLY, nullptr},
                         {"__qualname__", T_OBJECT, offsetof(OpFunction, name), READONLY, nullptr},
                         {"__doc__", T_OBJECT, offsetof(OpFunction, doc), READONLY, nullptr},
                         {}};
#define SLOT(slot, f) \
    { slot, reinterpret_cast<void*>(f) }
PyType_Slot slots[] = {SLOT(Py_tp_dealloc, destroy),       SLOT(Py_tp_call, PyVectorcall_Call),
                       SLOT(Py_tp_descr_get, bind_method), SLOT(Py_tp_repr, text),
                       SLOT(Py_tp_members, members),       {0, nullptr}};
#undef SLOT
PyType_Spec spec = {
    "mindspore.ops.OpFunction", sizeof(OpFunction), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_METHOD_DESCRIPTOR | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    slots};

}  // namespace

PyObject* call_op(const OpDef& op, PyObject* const* args, Py_ssize_t positional, PyObject* keyword_names) {
    return guarded<PyObject*>(nullptr, [&]() -> PyObject* {
        // The usual call, a + b: nothing to bind.
        if (positional == 2 && !keyword_names && op.schema.operands.size() == 2 && op.schema.attributes.empty()) {
            if (Py_TYPE(args[0]) == tensor_type && Py_TYPE(args[1]) == tensor_type) {
                Tensor in[2] = {tensor_of(args[0]), tensor_of(args[1])};
                return wrap(exec::dispatch1(context(), op, in, Attrs()));
            }
        }
        return call_slow(op, args, positional, keyword_names);
    });
}

PyObject* make_op_function(const OpDef& op, const std::string& name) {
    auto* f = PyObject_New(OpFunction, function_type);
    if (!f) return nullptr;
    f->vectorcall = vectorcall;
    f->op = &op;
    f->name = PyUnicode_FromString(name.c_str());
    f->doc = PyUnicode_FromString((signature_text(op) + "\n\n" + op.schema.doc).c_str());
    return reinterpret_cast<PyObject*>(f);
}

bool add_op_functions(PyObject* module) {
    function_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
    if (!function_type) return false;
    Ref functions(PyDict_New());
    Ref methods(PyDict_New());
    for (const OpDef& op : OpTable::get().rows()) {
        auto add = [&](PyObject* dict, const std::string& name) {
            Ref f(make_op_function(op, name));
            return f && PyDict_SetItemString(dict, name.c_str(), f.get()) == 0;
        };
        if (!op.schema.functional.empty() && !add(functions.get(), op.schema.functional)) return false;
        for (const std::string& alias : op.schema.aliases) {
            if (!add(functions.get(), alias)) return false;
        }
        for (const std::string& method : op.schema.methods) {
            if (!add(methods.get(), method)) return false;
        }
        // By primitive name, for the package's own use: _fusescope.primitives["StridedSlice"].
    }
    Ref primitives(PyDict_New());
    for (const OpDef& op : OpTable::get().rows()) {
        Ref f(make_op_function(op, op.schema.name));
        if (!f || PyDict_SetItemString(primitives.get(), op.schema.name.c_str(), f.get()) < 0) return false;
    }
    return PyModule_AddObjectRef(module, "functions", functions.get()) == 0 &&
           PyModule_AddObjectRef(module, "methods", methods.get()) == 0 &&
           PyModule_AddObjectRef(module, "primitives", primitives.get()) == 0;
}

}  // namespace fusescope::python
