// Who called: the stack of user lines, interned so that an op pays a few comparisons and no string.
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/python/object.hpp"
// clang-format off
#include <frameobject.h>  // after Python.h
// clang-format on
#include "engine/python/runtime.hpp"
#if PY_VERSION_HEX >= 0x030B0000 && PY_VERSION_HEX < 0x030C0000
// The public API makes a frame object for each frame it looks at; 3.11's own structure can be read without.
#define FUSESCOPE_READS_FRAMES 1
#define Py_BUILD_CORE 1
#include <internal/pycore_frame.h>  // after Py_BUILD_CORE
#undef Py_BUILD_CORE
#endif

namespace fusescope::python {
namespace {

struct Site {
    PyCodeObject* code;
    int offset;  // byte offset of the instruction
};

struct Key {
    FrameId parent;
    PyCodeObject* code;
    int line_or_offset;
    bool operator==(const Key&) const = default;
};
struct KeyHash {
    std::size_t operator()(const Key& k) const noexcept {
        std::size_t h = reinterpret_cast<std::size_t>(k.code) >> 4;
        h = (h ^ k.parent) * 0x9e3779b97f4a7c15ull;
        h ^= static_cast<std::size_t>(k.line_or_offset) + (h >> 31);
        return h * 0xff51afd7ed558ccdull;
    }
};

struct Defined {
    FrameId parent;
    PyCodeObject* code;
    int line;
    bool told = false;
};

// One per process: frames are made under the GIL.
struct Frames {
    std::unordered_map<Key, FrameId, KeyHash> by_offset;  // instruction → frame, the usual way
    std::unordered_map<Key, FrameId, KeyHash> by_line;    // several instructions of a line are one frame
    std::unordered_map<PyCodeObject*, bool> inside_package;
    std::vector<Defined> defined{{}};
    std::string package;
    Recorder* recorder = nullptr;
};
Frames& frames() {
    static Frames* f = new Frames;
    return *f;
}

// Frames of the mindspore package are not the user's lines. The code object is kept, so that its address stays its own.
bool is_package(PyCodeObject* code) {
    Frames& f = frames();
    auto [it, fresh] = f.inside_package.try_emplace(code, false);
    if (fresh) {
        Py_INCREF(code);
        const char* path = PyUnicode_AsUTF8(code->co_filename);
        if (!path) PyErr_Clear();
        it->second = path && (std::string_view(path).starts_with("<frozen ") ||
                              (!f.package.empty() && std::string_view(path).starts_with(f.package)));
    }
    return it->second;
}

std::string_view text(PyObject* s) {
    Py_ssize_t n = 0;
    const char* p = PyUnicode_AsUTF8AndSize(s, &n);
    if (!p) {
        PyErr_Clear();  // a name with lone surrogates
        return "?";
    }
    return {p, static_cast<std::size_t>(n)};
}

void tell(FrameId id) {
    Frames& f = frames();
    Defined& d = f.defined[id];
    if (d.told || !f.recorder) return;
    if (d.parent) tell(d.parent);
    d.told = true;
    f.recorder->define_frame(id, {d.parent, text(d.code->co_filename), d.line, text(d.code->co_name)});
}

FrameId intern(const Site* sites, int count) {
    Frames& f = frames();
    FrameId parent = 0;
    for (int i = count; i-- > 0;) {
        auto [it, fresh] = f.by_offset.try_emplace({parent, sites[i].code, sites[i].offset}, 0);
        if (fresh) {
            const int line = PyCode_Addr2Line(sites[i].code, sites[i].offset);
            auto [at, fresh_line] =
                f.by_line.try_emplace({parent, sites[i].code, line}, static_cast<FrameId>(f.defined.size()));
            if (fresh_line) f.defined.push_back({parent, sites[i].code, line});
            it->second = at->second;
        }
        parent = it->second;
    }
    if (f.recorder && parent && !f.defined[parent].told) tell(parent);
    return parent;
}

}  // namespace

FrameId frame_at(const std::string& path, int line, const std::string& function) {
    Frames& f = frames();
    if (!f.recorder) return 0;
    // An empty code object with that name and line stands for the place.
    PyCodeObject* code = PyCode_NewEmpty(path.c_str(), function.c_str(), line);
    if (!code) {
        PyErr_Clear();
        return 0;
    }
    f.defined.push_back({0, code, line});
    const auto id = static_cast<FrameId>(f.defined.size() - 1);
    tell(id);
    return id;
}

bool is_package_code(PyCodeObject* code) { return is_package(code); }

FrameId line_of_frame(FrameId id) {
    Frames& f = frames();
    if (id == 0 || id >= f.defined.size() || f.defined[id].parent == 0) return id;
    const Defined d = f.defined[id];
    const auto [at, fresh] = f.by_line.try_emplace({0, d.code, d.line}, static_cast<FrameId>(f.defined.size()));
    if (fresh) f.defined.push_back({0, d.code, d.line});
    return at->second;
}

std::vector<PlainFrame> frames_of(FrameId id) {
    std::vector<PlainFrame> list;
    const Frames& f = frames();
    while (id != 0 && id < f.defined.size()) {
        const Defined& d = f.defined[id];
        list.push_back({std::string(text(d.code->co_filename)), std::string(text(d.code->co_name)), d.line});
        id = d.parent;
    }
    return list;
}

std::string place_of(FrameId id) {
    Frames& f = frames();
    if (id == 0 || id >= f.defined.size()) return {};
    const Defined& d = f.defined[id];
    std::string place = "  File \"" + std::string(text(d.code->co_filename)) + "\", line " + std::to_string(d.line) +
                        ", in " + std::string(text(d.code->co_name));
    Ref cache(PyImport_ImportModule("linecache"));
    Ref line(cache ? PyObject_CallMethod(cache.get(), "getline", "Oi", d.code->co_filename, d.line) : nullptr);
    Ref stripped(line ? PyObject_CallMethod(line.get(), "strip", nullptr) : nullptr);
    if (!stripped) PyErr_Clear();
    if (stripped && PyUnicode_GetLength(stripped.get()) > 0) place += "\n    " + std::string(text(stripped.get()));
    return place;
}

std::string line_of(FrameId id, FrameId beside) {
    Frames& f = frames();
    if (id == 0 || id >= f.defined.size()) return {};
    const Defined& d = f.defined[id];
    const std::string line = "line " + std::to_string(d.line);
    const std::string_view path = text(d.code->co_filename);
    if (beside < f.defined.size() && beside != 0 && text(f.defined[beside].code->co_filename) == path) return line;
    return std::string(path.substr(path.rfind('/') + 1)) + ", " + line;
}

std::string variable_holding(const TensorImpl* tensor) {
    PyFrameObject* frame = PyEval_GetFrame();
    Py_XINCREF(frame);
    while (frame) {
        PyCodeObject* code = PyFrame_GetCode(frame);
        const bool package = is_package(code);
        Py_DECREF(code);
        if (!package) break;
        PyFrameObject* back = PyFrame_GetBack(frame);
        Py_DECREF(frame);
        frame = back;
    }
    const Ref user(reinterpret_cast<PyObject*>(frame));
    for (const char* scope : {"f_locals", "f_globals"}) {
        const Ref names(user ? PyObject_GetAttrString(user.get(), scope) : nullptr);
        if (!names || !PyDict_Check(names.get())) {
            PyErr_Clear();
            continue;
        }
        PyObject *name, *value;
        for (Py_ssize_t at = 0; PyDict_Next(names.get(), &at, &name, &value);) {
            if (is_tensor(value) && tensor_of(value).impl() == tensor && PyUnicode_Check(name)) {
                return std::string(text(name));
            }
        }
    }
    return {};
}

FrameId current_frame(void*) {
    constexpr int kDeepest = 64;
    Site sites[kDeepest];
    int n = 0;
#ifdef FUSESCOPE_READS_FRAMES
    PyThreadState* state = PyThreadState_GET();
    for (_PyInterpreterFrame* f = state->cframe->current_frame; f && n < kDeepest; f = f->previous) {
        if (_PyFrame_IsIncomplete(f)) continue;
        PyCodeObject* code = f->f_code;
        if (is_package(code)) continue;
        sites[n++] = {code, static_cast<int>(_PyInterpreterFrame_LASTI(f) * sizeof(_Py_CODEUNIT))};
    }
#else
    for (PyFrameObject* f = PyEval_GetFrame(); f && n < kDeepest;) {
        PyCodeObject* code = PyFrame_GetCode(f);
        if (!is_package(code)) sites[n++] = {code, PyFrame_GetLasti(f)};
        Py_DECREF(code);
        PyFrameObject* back = PyFrame_GetBack(f);
        Py_XDECREF(back);  // the running frame keeps its callers alive
        f = back;
    }
#endif
    return intern(sites, n);
}

void set_package_path(const std::string& path) { frames().package = path; }

void attach_frames(Recorder* recorder) {
    Frames& f = frames();
    f.recorder = recorder;
    for (Defined& d : f.defined) d.told = false;
}

}  // namespace fusescope::python
