#include "engine/python/frame_expression.hpp"
// clang-format off
#include <frameobject.h>  // after Python.h
// clang-format on
#define Py_BUILD_CORE 1
#include <internal/pycore_frame.h>  // the locals of a frame without making a dict of them
#undef Py_BUILD_CORE

#include <algorithm>
#include <charconv>

#include "fusescope/error.hpp"

namespace fusescope::python {
namespace {

bool has_inner_code(PyCodeObject* code) {
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(code->co_consts); ++i) {
        if (PyCode_Check(PyTuple_GET_ITEM(code->co_consts, i))) return true;
    }
    return false;
}

// The locals that an expression names, and no others: a dict of all of them costs more than the line itself.
Ref named_locals(_frame* frame, PyCodeObject* expression) {
    _PyInterpreterFrame* f = frame->f_frame;
    PyCodeObject* code = f->f_code;
    if (!(code->co_flags & CO_OPTIMIZED) || has_inner_code(expression)) {
        return Ref(PyFrame_GetLocals(frame));
    }
    Ref dict(PyDict_New());
    for (Py_ssize_t n = 0; dict && n < PyTuple_GET_SIZE(expression->co_names); ++n) {
        PyObject* name = PyTuple_GET_ITEM(expression->co_names, n);
        for (int i = 0; i < code->co_nlocalsplus; ++i) {
            PyObject* own = PyTuple_GET_ITEM(code->co_localsplusnames, i);
            if (own != name && PyUnicode_Compare(own, name) != 0) continue;
            PyObject* value = f->localsplus[i];
            if (value && PyCell_Check(value)) value = PyCell_GET(value);
            if (value) PyDict_SetItem(dict.get(), name, value);
            break;
        }
    }
    return dict;
}

}  // namespace

Ref evaluated(_frame* frame, PyObject* code, PyObject* more_names) {
    PyObject* const main = frame ? nullptr : PyImport_AddModule("__main__");
    Ref locals = frame ? named_locals(frame, reinterpret_cast<PyCodeObject*>(code)) : Ref(PyDict_New());
    if (!locals || (!frame && !main)) return {};
    PyObject* const globals = frame ? frame->f_frame->f_globals : PyModule_GetDict(main);
    if (!more_names && !has_inner_code(reinterpret_cast<PyCodeObject*>(code))) {
        return Ref(PyEval_EvalCode(code, globals, locals.get()));
    }
    // What has a scope of its own (a comprehension, a lambda) sees globals only: the variables are put among those.
    Ref all(more_names ? PyDict_Copy(more_names) : PyDict_New());
    if (!all || PyDict_Update(all.get(), globals) != 0 || PyDict_Update(all.get(), locals.get()) != 0) return {};
    return Ref(PyEval_EvalCode(code, all.get(), all.get()));
}

std::function<bool(std::uint64_t)> parse_hit_condition(const std::string& text) {
    std::size_t at = text.find_first_not_of(" \t");
    if (at == std::string::npos) return nullptr;
    const std::size_t digits = text.find_first_of("0123456789", at);
    std::string sign = text.substr(at, digits == std::string::npos ? std::string::npos : digits - at);
    while (!sign.empty() && sign.back() == ' ') sign.pop_back();
    std::uint64_t n = 0;
    bool good = digits != std::string::npos;
    if (good) {
        const char* end = text.data() + text.size();
        const auto [stopped, error] = std::from_chars(text.data() + digits, end, n);
        good = error == std::errc() && std::all_of(stopped, end, [](char c) { return c == ' '; }) && n > 0;
    }
    if (good && (sign.empty() || sign == ">=")) return [n](std::uint64_t hits) { return hits >= n; };
    if (good && (sign == "==" || sign == "=")) return [n](std::uint64_t hits) { return hits == n; };
    if (good && sign == ">") return [n](std::uint64_t hits) { return hits > n; };
    if (good && sign == "<") return [n](std::uint64_t hits) { return hits < n; };
    if (good && sign == "<=") return [n](std::uint64_t hits) { return hits <= n; };
    if (good && sign == "%") return [n](std::uint64_t hits) { return hits % n == 0; };
    throw UserError(ErrorKind::value, "", "hit condition '" + text + "' is not understood", {},
                    "write a number, or one after ==, >, >=, <, <= or %");
}

}  // namespace fusescope::python
