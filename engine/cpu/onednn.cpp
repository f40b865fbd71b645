#include "engine/cpu/onednn.hpp"

#include "engine/core/allocator.hpp"

namespace fusescope::cpu::onednn {

dnnl::engine& engine() {
    static auto* e = new dnnl::engine(dnnl::engine::kind::cpu, 0);
    return *e;
}

dnnl::stream& stream() {
    thread_local auto* s = new dnnl::stream(engine());
    return *s;
}

void* scratchpad(std::size_t bytes) {
    thread_local StorageRef held;
    if (!held || held->bytes < bytes) held = StorageRef(allocator::allocate(bytes, DeviceKind::cpu));
    return held->data();
}

}  // namespace fusescope::cpu::onednn
