// What a Tensor handle points to.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "engine/core/allocator.hpp"
#include "fusescope/tensor.hpp"

namespace fusescope {

/// Why this tensor is more than a value: it has a name, a gradient switch and optimizer state hangs on it.
struct ParameterInfo {
    std::string name;
    bool requires_grad = true;
};

/// A place in a trace that a pending tensor waits for. Declared here, defined by engine/trace: core knows no graphs.
struct PendingSlot {
    virtual ~PendingSlot() = default;
    /// Runs the trace up to and including this value; afterwards the impl holds storage. `reason` says who looked.
    virtual void force(TensorImpl& impl, TransferReason reason) = 0;
    /// `to` shall get the same value as `from`, which waits for this slot.
    virtual void follow(TensorImpl& from, TensorImpl& to) = 0;
    /// The impl dies or gets another value: it waits for this slot no more.
    virtual void forget(TensorImpl& impl) noexcept = 0;
};

/// Where tensors wait whose value will never come: an op before them failed, or they are the inside of a branch that
/// was only traced. Looking at one throws UserError (runtime).
PendingSlot& lost_values() noexcept;

/// What has been seen in a value; lets the watch tell a NaN that is born from one that is carried.
enum class HealthBits : std::uint8_t { unknown = 0, clean = 1, nan = 2, inf = 4 };

struct TensorImpl : detail::TensorCounter {
    std::uint8_t health = 0;    ///< HealthBits, or-ed; 0 when nobody looked
    bool number = false;        ///< stands for a Python number: a constant in a trace
    bool beyond = false;        ///< a number that this element type made infinite, or zero
    std::uint32_t made_by = 0;  ///< number of the call that made it, in exec::Producers; 0: unknown
    bool consumed = false;      ///< an op has read it
    std::uint64_t history = 0;  ///< number of the value in the debugger's history; 0: not in it
    TensorType type;
    StorageRef storage;               ///< null while pending (a parameter keeps its old value there)
    StorageRef host_copy;             ///< copy of a device value that the host has looked at
    PendingSlot* pending = nullptr;   ///< set while the value waits in a trace; owned by the trace
    std::uint32_t pending_index = 0;  ///< for the trace's use
    std::unique_ptr<ParameterInfo> parameter;

    /// Values begin where their storage does, at 64 bytes: generated code relies on it.
    const void* raw() const noexcept { return storage->data(); }
    void* raw() noexcept { return storage->data(); }
    DeviceKind device() const noexcept { return storage ? storage->device : DeviceKind::cpu; }
};

/// A recycled TensorImpl with one reference and no storage.
TensorImpl* make_impl(DType dtype, const Shape& shape);

/// Bytes of a value of this type. Throws UserError, in the name of `op` unless that is empty, when an extent is
/// negative (value) or the bytes are more than any memory holds (memory): the product must not wrap into something
/// small.
std::size_t checked_bytes(std::string_view op, DType dtype, const Shape& shape);

/// Makes a tensor with fresh storage on `device`.
Tensor make_tensor(DType dtype, const Shape& shape, DeviceKind device);
/// A second tensor over the same storage, of another shape with as many elements.
Tensor alias_tensor(const Tensor& base, const Shape& shape);
/// A handle with the present value of `t` that later assignments to `t` do not change. Pending stays pending.
Tensor snapshot_tensor(const Tensor& t);
/// The same of the value in storage: of a Parameter that waits in a trace, the one from before the trace.
Tensor stored_tensor(const Tensor& t);
/// Makes `target` (a Parameter, or the target of an item assignment) hold the value of `value`, by sharing its storage.
/// Whoever saw the old value keeps it.
void assign_value(const Tensor& target, const Tensor& value);
/// Copies bytes to another memory and records the transfer. Implemented by engine/exec, which knows the devices.
Tensor transfer_tensor(const Tensor& t, DeviceKind device, TransferReason reason);
/// Moves the value of `t` to a device unless it is there. The tensor itself moves: it is the same to a gradient tape,
/// and using it again copies nothing.
Tensor to_device(const Tensor& t, DeviceKind device, TransferReason reason);
/// The same for the value in storage, which for a Parameter that waits in a trace is the one from before the trace.
Tensor move_storage(const Tensor& t, DeviceKind device, TransferReason reason);

}  // namespace fusescope
