// Tensor handles, the pool of TensorImpl objects, and reading a value on the host.
#include "fusescope/tensor.hpp"

#include <cmath>
#include <cstring>

#include "engine/core/context.hpp"
#include "engine/core/convert.hpp"
#include "engine/core/debug_hook.hpp"
#include "engine/core/tensor_impl.hpp"
#include "fusescope/error.hpp"

namespace fusescope {
namespace {

constexpr int kPoolDepth = 256;

struct ImplPool {
    TensorImpl* items[kPoolDepth];
    int depth = 0;
    ~ImplPool() {
        while (depth > 0) delete items[--depth];
    }
};
thread_local ImplPool* pool = nullptr;
thread_local bool pool_gone = false;
struct PoolOwner {
    ImplPool mine;
    PoolOwner() { pool = &mine; }
    ~PoolOwner() {
        pool = nullptr;
        pool_gone = true;
    }
};
ImplPool* impl_pool() noexcept {
    if (pool || pool_gone) return pool;
    thread_local PoolOwner owner;
    return pool;
}

}  // namespace

PendingSlot& lost_values() noexcept {
    struct Lost final : PendingSlot {
        void force(TensorImpl&, TransferReason) override {
            throw UserError(ErrorKind::runtime, "",
                            "this tensor has no value: an op in its graph failed before it was computed, or it was "
                            "made inside a branch or loop body that was only traced",
                            {}, "compute it again, and return from a branch or loop body what is needed outside");
        }
        void follow(TensorImpl&, TensorImpl& to) override { to.pending = this; }
        void forget(TensorImpl&) noexcept override {}
    };
    static Lost* lost = new Lost;  // never destroyed: tensors of static objects may be released after it
    return *lost;
}

TensorImpl* make_impl(DType dtype, const Shape& shape) {
    TensorImpl* impl = nullptr;
    if (ImplPool* p = impl_pool(); p && p->depth > 0) {
        impl = p->items[--p->depth];
        impl->refs.store(1, std::memory_order_relaxed);
    } else {
        impl = new TensorImpl;
    }
    impl->type.dtype = dtype;
    impl->type.shape = shape;
    return impl;
}

void detail::destroy_tensor(TensorCounter* counter) noexcept {
    auto* impl = static_cast<TensorImpl*>(counter);
    if (impl->pending) impl->pending->forget(*impl);
    impl->pending = nullptr;
    impl->storage = StorageRef();
    impl->host_copy = StorageRef();
    impl->health = 0;
    impl->made_by = 0;
    impl->history = 0;
    impl->consumed = false;
    impl->number = impl->beyond = false;
    impl->parameter.reset();
    if (ImplPool* p = impl_pool(); p && p->depth < kPoolDepth) {
        p->items[p->depth++] = impl;
    } else {
        delete impl;
    }
}

std::size_t checked_bytes(std::string_view op, DType dtype, const Shape& shape) {
    std::size_t bytes = size_of(dtype);
    bool fits = true;
    for (std::int64_t extent : shape) {
        fits = fits && extent >= 0 && !__builtin_mul_overflow(bytes, static_cast<std::size_t>(extent), &bytes);
    }
    if (fits && bytes <= allocator::kMaxBytes) return bytes;
    throw UserError(fits ? ErrorKind::memory : ErrorKind::value, std::string(op),
                    (op.empty() ? "" : std::string(op) + ": ") + "cannot make a tensor of shape " + to_string(shape) +
                        " and dtype " + std::string(name_of(dtype)),
                    {to_string(shape)}, "extents must not be negative and their product must fit in memory");
}

Tensor make_tensor(DType dtype, const Shape& shape, DeviceKind device) {
    const std::size_t bytes = checked_bytes({}, dtype, shape);
    Tensor t = Tensor::adopt(make_impl(dtype, shape));
    t.impl()->storage = StorageRef(allocator::allocate(bytes, device));
    return t;
}

Tensor alias_tensor(const Tensor& base, const Shape& shape) {
    Tensor t = Tensor::adopt(make_impl(base.dtype(), shape));
    t.impl()->storage = base.impl()->storage;
    t.impl()->health = base.impl()->health;
    return t;
}

Tensor stored_tensor(const Tensor& t) {
    Tensor copy = Tensor::adopt(make_impl(t.dtype(), t.shape()));
    copy.impl()->storage = t.impl()->storage;
    copy.impl()->health = t.impl()->health;
    copy.impl()->history = t.impl()->history;
    copy.impl()->number = t.impl()->number;
    copy.impl()->beyond = t.impl()->beyond;
    return copy;
}

Tensor snapshot_tensor(const Tensor& t) {
    Tensor copy = Tensor::adopt(make_impl(t.dtype(), t.shape()));
    TensorImpl* to = copy.impl();
    TensorImpl* from = t.impl();
    to->storage = from->storage;
    to->health = from->health;
    to->made_by = from->made_by;
    to->history = from->history;
    if (from->pending) from->pending->follow(*from, *to);
    return copy;
}

void assign_value(const Tensor& target, const Tensor& value) {
    TensorImpl* to = target.impl();
    TensorImpl* from = value.impl();
    if (to == from) return;
    if (to->pending) to->pending->forget(*to);
    to->pending = nullptr;
    to->type = from->type;
    // While the new value is pending the old one stays: the graph that will run may read it.
    if (!from->pending) to->storage = from->storage;
    to->host_copy = StorageRef();
    to->health = from->health;
    if (!to->parameter) to->made_by = from->made_by;  // a Parameter has its shape from where it was made
    if (!from->pending) to->history = from->history;
    to->consumed = false;
    if (from->pending) from->pending->follow(*from, *to);
}

Tensor to_device(const Tensor& t, DeviceKind device, TransferReason reason) {
    if (t.impl()->pending) t.impl()->pending->force(*t.impl(), reason);
    return move_storage(t, device, reason);
}

Tensor move_storage(const Tensor& t, DeviceKind device, TransferReason reason) {
    TensorImpl* i = t.impl();
    if (i->device() == device) return t;
    const Tensor copy = transfer_tensor(t, device, reason);
    // Python numbers stand in constants that several tensors may share.
    if (i->number) {
        copy.impl()->number = true;
        copy.impl()->beyond = i->beyond;
        return copy;
    }
    i->storage = copy.impl()->storage;
    i->host_copy = StorageRef();
    return t;
}

Tensor Tensor::empty(DType dtype, const Shape& shape) { return make_tensor(dtype, shape, DeviceKind::cpu); }

Tensor Tensor::from_bytes(DType dtype, const Shape& shape, const void* data) {
    Tensor t = empty(dtype, shape);
    if (const std::size_t n = t.type().bytes()) std::memcpy(t.impl()->raw(), data, n);
    return t;
}

Tensor Tensor::scalar(double value, DType dtype) {
    Tensor t = empty(dtype, {});
    store_double(dtype, t.impl()->raw(), 0, value);
    t.impl()->number = true;
    const double held = load_double(dtype, t.impl()->raw(), 0);
    t.impl()->beyond = std::isfinite(value) && value != 0 && (std::isinf(held) || (is_float(dtype) && held == 0));
    return t;
}

Tensor Tensor::scalar_int(std::int64_t value, DType dtype) {
    Tensor t = empty(dtype, {});
    store_int(dtype, t.impl()->raw(), 0, value);
    t.impl()->number = true;
    return t;
}

DType Tensor::dtype() const noexcept { return impl()->type.dtype; }
const Shape& Tensor::shape() const noexcept { return impl()->type.shape; }
const TensorType& Tensor::type() const noexcept { return impl()->type; }
DeviceKind Tensor::device() const noexcept { return impl()->device(); }
bool Tensor::is_pending() const noexcept { return impl()->pending != nullptr; }

const void* Tensor::data(TransferReason reason) const {
    TensorImpl* i = impl();
    if (i->pending) {
        i->pending->force(*i, reason);
    } else if (TraceSink* trace = Context::current().trace) {
        trace->looked_at(reason);
    }
    DebugHook* const hook = Context::current().hook;
    if (hook && (reason == TransferReason::read_back || reason == TransferReason::print)) {
        hook->value_seen(*this, name_of(reason));
    }
    if (i->device() != DeviceKind::cpu) {
        // The value stays on its device. Each look is a transfer, but the bytes that an earlier one gave out stay where
        // they are.
        const Tensor host = transfer_tensor(*this, DeviceKind::cpu, reason);
        if (!i->host_copy) i->host_copy = host.impl()->storage;
        return i->host_copy->data();
    }
    return i->raw();
}

double Tensor::item() const {
    if (count() != 1) {
        throw UserError(
            ErrorKind::value, "",
            "only a tensor with one element can become a Python number; this one has shape " + to_string(shape()),
            {to_string(shape())}, "index one element or reduce first, for example t.sum()");
    }
    return load_double(dtype(), data(), 0);
}

std::int64_t Tensor::item_int() const {
    if (count() != 1) return static_cast<std::int64_t>(item());
    return load_int(dtype(), data(), 0);
}

}  // namespace fusescope
