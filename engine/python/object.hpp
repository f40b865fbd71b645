// What every file of the Python layer needs: the C API, owned references, and how errors cross over.
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <exception>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/context.hpp"
#include "engine/core/tensor_impl.hpp"
#include "engine/ir/op_def.hpp"

namespace fusescope::python {

/// One owned reference.
class Ref {
 public:
    Ref() noexcept = default;
    explicit Ref(PyObject* owned) noexcept : p_(owned) {}
    Ref(const Ref& o) noexcept : p_(o.p_) { Py_XINCREF(p_); }
    Ref(Ref&& o) noexcept : p_(std::exchange(o.p_, nullptr)) {}
    Ref& operator=(Ref o) noexcept {
        std::swap(p_, o.p_);
        return *this;
    }
    ~Ref() { Py_XDECREF(p_); }
    static Ref borrow(PyObject* p) noexcept {
        Py_XINCREF(p);
        return Ref(p);
    }
    PyObject* get() const noexcept { return p_; }
    PyObject* release() noexcept { return std::exchange(p_, nullptr); }
    explicit operator bool() const noexcept { return p_ != nullptr; }

 private:
    PyObject* p_ = nullptr;
};

/// A string's characters as UTF-8; empty when it is none, or has some that UTF-8 cannot say.
inline std::string text_of(PyObject* o) {
    const char* p = o && PyUnicode_Check(o) ? PyUnicode_AsUTF8(o) : nullptr;
    if (!p) PyErr_Clear();
    return p ? p : "";
}

/// Thrown where a Python exception is already set.
struct PythonError {};

/// An owned reference, or PythonError when the call failed.
inline Ref checked(PyObject* owned) {
    if (!owned) throw PythonError{};
    return Ref(owned);
}

/// Sets the Python exception that a C++ one stands for; call it inside a catch (...) block. Publishes a finding for
/// shape, dtype and index errors when recording.
void set_error_from_cpp() noexcept;

/// "ValueError: text" of the Python exception that is set, which it takes away.
std::string taken_error();

/// Inside a catch block: true (and a Python exception is set) when it is a region that cannot be one.
bool set_if_unsupported() noexcept;
/// Runs `f`, turning C++ exceptions into Python ones; gives `failed` then.
template <class R, class F>
R guarded(R failed, F&& f) noexcept {
    try {
        return f();
    } catch (...) {
        set_error_from_cpp();
        return failed;
    }
}

/// The interpreter's one context.
Context& context() noexcept;

// ---- tensors ----------------------------------------------------------------------------------------------------

struct TensorObject {
    PyObject_HEAD Tensor tensor;
    PyObject* weakrefs;
};
extern PyTypeObject* tensor_type;

inline bool is_tensor(PyObject* o) noexcept {
    return Py_TYPE(o) == tensor_type || PyType_IsSubtype(Py_TYPE(o), tensor_type);
}
inline Tensor& tensor_of(PyObject* o) noexcept { return reinterpret_cast<TensorObject*>(o)->tensor; }
/// New reference; Python's Tensor class around a handle. Null with an exception set when there is no memory.
PyObject* wrap(Tensor t);
/// A tuple of them; throws PythonError.
Ref tuple_of(std::span<const Tensor> tensors);
/// The tensors of a list or tuple; None is an undefined one where `optional`. Throws PythonError (TypeError).
std::vector<Tensor> tensors_from(PyObject* sequence, bool optional = false);

// ---- dtypes -----------------------------------------------------------------------------------------------------

/// New reference to the singleton of a dtype.
PyObject* dtype_object(DType t) noexcept;
/// From a dtype object, a numpy dtype, a Python type (float, int, bool) or a name; throws PythonError (TypeError).
DType dtype_from(PyObject* o);

// ---- numbers and attributes ---------------------------------------------------------------------------------------

/// True for bool, int, float and numpy scalars.
bool is_number(PyObject* o) noexcept;
/// A 0-d tensor for a Python number that meets tensors of type `common` (or none).
Tensor number_tensor(PyObject* o, const DType* common);
/// Converts one argument by the attribute's type; throws PythonError with a message naming `op` and the attribute.
AttrValue attribute_from(PyObject* o, const AttrSpec& spec, const OpDef& op);

/// Tensor from numbers, nested lists, arrays (anything with the buffer protocol) or a tensor. `dtype` may be null.
Tensor tensor_from(PyObject* data, const DType* dtype);
/// A new numpy array with the value's bytes; BFloat16 comes as float32.
PyObject* to_numpy(const Tensor& t, TransferReason reason);

// ---- frames -------------------------------------------------------------------------------------------------------

/// Interned id of the calling user line, 0 when there is none. Frames of files under `package_path` do not count.
FrameId current_frame(void*);
/// A frame as a traceback shows it, with its line of the source; empty when it is unknown.
std::string place_of(FrameId frame);
/// "line 9"; with the file's name when that is not the file of `beside`. Empty when it is unknown.
std::string line_of(FrameId frame, FrameId beside);
/// The variable of the innermost user function, or of its module, that holds a tensor; empty when none does.
std::string variable_holding(const TensorImpl* tensor);
void set_package_path(const std::string& path);
/// Whether a code object belongs to the mindspore package or to the interpreter's own importing.
bool is_package_code(PyCodeObject* code);
/// The innermost line of an interned stack, as a frame without callers.
FrameId line_of_frame(FrameId id);
/// One line of an interned call stack.
struct PlainFrame {
    std::string path, function;
    int line = 0;
};
/// The stack that an id stands for, innermost first.
std::vector<PlainFrame> frames_of(FrameId id);
/// Frames are announced anew to a recorder that has just been attached.
void attach_frames(Recorder* recorder);

// ---- what the module is made of ------------------------------------------------------------------------------------

bool add_dtypes(PyObject* module);
bool add_tensor_type(PyObject* module);
bool add_op_functions(PyObject* module);
bool add_autodiff(PyObject* module);
bool add_guards(PyObject* module);
bool add_tracing(PyObject* module);
bool add_runtime(PyObject* module);
bool add_debugging(PyObject* module);

/// Told after a shape, dtype or index error has become the exception that is set; null unless a debugger wants it.
extern std::function<void(const std::string& message)> user_error_raised;

/// A callable for one op row, which also works as a method. New reference.
PyObject* make_op_function(const OpDef& op, const std::string& name);
/// Runs `op` on Python arguments (operands, then attributes).
PyObject* call_op(const OpDef& op, PyObject* const* args, Py_ssize_t positional, PyObject* keyword_names);

}  // namespace fusescope::python
