// The tensor handle that programs and the engine pass around.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "fusescope/dtype.hpp"
#include "fusescope/event.hpp"
#include "fusescope/shape.hpp"

namespace fusescope {

struct TensorImpl;

namespace detail {
/// First member of every TensorImpl, here so that copying a handle is inline for everybody.
struct TensorCounter {
    std::atomic<std::uint32_t> refs{1};
};
void destroy_tensor(TensorCounter* impl) noexcept;
}  // namespace detail

/// Element type and extents: all that shape inference knows of a tensor.
struct TensorType {
    DType dtype = DType::Float32;
    Shape shape;

    std::size_t bytes() const noexcept { return static_cast<std::size_t>(shape.count()) * size_of(dtype); }
    friend bool operator==(const TensorType&, const TensorType&) = default;
};

/// "Float32[2, 3]".
inline std::string to_string(const TensorType& type) {
    std::string s(name_of(type.dtype));
    s += "[";
    for (std::size_t i = 0; i < type.shape.size(); ++i) {
        if (i) s += ", ";
        s += std::to_string(type.shape[i]);
    }
    return s + "]";
}

/// A shared handle to an immutable, contiguous, row-major value, or to a value that is still pending in a trace.
///
/// Copying copies the handle. Handles may be passed between threads; one handle object must not be written by two
/// threads at once. A default-made Tensor is undefined: only `defined()`, assignment and destruction are allowed.
/// Only parameters and the target of an item assignment ever change, and then by getting new storage when anybody else
/// still looks at the old one, so a value seen once never changes.
class Tensor {
 public:
    Tensor() noexcept = default;
    Tensor(const Tensor& o) noexcept : impl_(o.impl_) {
        if (impl_) impl_->refs.fetch_add(1, std::memory_order_relaxed);
    }
    Tensor(Tensor&& o) noexcept : impl_(std::exchange(o.impl_, nullptr)) {}
    Tensor& operator=(const Tensor& o) noexcept {
        Tensor copy(o);
        std::swap(impl_, copy.impl_);
        return *this;
    }
    Tensor& operator=(Tensor&& o) noexcept {
        std::swap(impl_, o.impl_);
        return *this;
    }
    ~Tensor() {
        if (impl_ && impl_->refs.fetch_sub(1, std::memory_order_acq_rel) == 1) detail::destroy_tensor(impl_);
    }

    /// New host tensor with unspecified contents. Throws UserError: value (a negative extent), memory.
    static Tensor empty(DType dtype, const Shape& shape);
    /// Copies row-major data, as many bytes as the type takes. Throws as `empty` does.
    static Tensor from_bytes(DType dtype, const Shape& shape, const void* data);
    /// A 0-d tensor that stands for a number: a graph takes it as a constant. A float `dtype` rounds to nearest, ints
    /// take the whole part that is nearest in their range, 0 for NaN; scalar_int wraps instead.
    static Tensor scalar(double value, DType dtype = DType::Float32);
    static Tensor scalar_int(std::int64_t value, DType dtype = DType::Int64);
    bool defined() const noexcept { return impl_ != nullptr; }
    DType dtype() const noexcept;
    const Shape& shape() const noexcept;
    int rank() const noexcept { return shape().rank(); }
    std::int64_t count() const noexcept { return shape().count(); }
    const TensorType& type() const noexcept;
    DeviceKind device() const noexcept;

    /// True while the value is a place in a trace; looking at it runs the graph.
    bool is_pending() const noexcept;

    /// Bytes of the value on the host, in row-major order. Runs what is pending and copies from a device if need be
    /// (recorded as a transfer with `reason`); throws UserError. The pointer lives as long as handle and value.
    const void* data(TransferReason reason = TransferReason::read_back) const;
    template <class T>
    const T* data_as() const {
        return static_cast<const T*>(data());
    }
    /// The only element, converted. Throws UserError (value) when there is not exactly one.
    double item() const;
    std::int64_t item_int() const;

    TensorImpl* impl() const noexcept { return reinterpret_cast<TensorImpl*>(impl_); }
    /// Takes over one reference.
    static Tensor adopt(TensorImpl* impl) noexcept {
        Tensor t;
        t.impl_ = reinterpret_cast<detail::TensorCounter*>(impl);
        return t;
    }
    /// Adds a reference.
    static Tensor share(TensorImpl* impl) noexcept {
        Tensor t = adopt(impl);
        if (t.impl_) t.impl_->refs.fetch_add(1, std::memory_order_relaxed);
        return t;
    }
    /// Gives the reference away; the handle is undefined afterwards.
    TensorImpl* release() noexcept { return reinterpret_cast<TensorImpl*>(std::exchange(impl_, nullptr)); }

    /// Same handle target (not: equal values).
    friend bool same(const Tensor& a, const Tensor& b) noexcept { return a.impl_ == b.impl_; }

 private:
    detail::TensorCounter* impl_ = nullptr;
};

}  // namespace fusescope
