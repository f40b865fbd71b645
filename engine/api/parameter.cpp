#include "fusescope/parameter.hpp"

#include "engine/core/tensor_impl.hpp"
#include "fusescope/op_call.hpp"

namespace fusescope {

Parameter::Parameter(const Tensor& value, std::string name, bool requires_grad) {
    if (value.is_pending()) value.impl()->pending->force(*value.impl(), TransferReason::parameter);
    Tensor own = snapshot_tensor(value);
    own.impl()->parameter = std::make_unique<ParameterInfo>(ParameterInfo{std::move(name), requires_grad});
    Tensor::operator=(std::move(own));
}

const std::string& Parameter::name() const { return impl()->parameter->name; }
void Parameter::set_name(std::string name) { impl()->parameter->name = std::move(name); }
bool Parameter::requires_grad() const { return impl()->parameter->requires_grad; }
void Parameter::set_requires_grad(bool on) { impl()->parameter->requires_grad = on; }

void Parameter::assign(const Tensor& value) {
    static const Op op("Assign");
    op.many({*this, value});
}

}  // namespace fusescope
