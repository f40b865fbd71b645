#include "engine/cpu/onednn.hpp"

namespace fusescope::cpu::onednn {

dnnl::engine& engine() {
    static auto* e = new dnnl::engine(dnnl::engine::kind::cpu, 0);
    return *e;
}

dnnl::stream& stream() {
    thread_local auto* s = new dnnl::stream(engine());
    return *s;
}

}  // namespace fusescope::cpu::onednn
