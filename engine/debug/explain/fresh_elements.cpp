// Telling a bad element that an op made from those that it passed on beside it: a mask of -inf, or a NaN elsewhere in
// the data, must not hide what is born next to it.
#include <cmath>

#include "engine/core/tensor_impl.hpp"
#include "engine/debug/explain/birth.hpp"

namespace fusescope::debug {
namespace {

/// So many bad elements are followed back where each may stand for a whole row.
constexpr int kMostFollowed = 64;

bool is_bad(double v, bool nan) { return nan ? std::isnan(v) : std::isinf(v); }
void add(BadElements& found, std::int64_t i) {
    if (found.count++ == 0) found.first = i;
}
bool spoils(double v, bool nan) { return std::isnan(v) || (!nan && std::isinf(v)); }

/// An operand of an elementwise op, walked through in step with the result that it broadcasts to.
class Walk {
 public:
    Walk(const Tensor& operand, const Shape& result) : operand_(operand), strides_(result.size(), 0) {
        const Shape& shape = operand.shape();
        std::int64_t stride = 1;
        for (std::size_t k = shape.size(); k-- > 0;) {
            strides_[result.size() - shape.size() + k] = shape[k] == 1 ? 0 : stride;
            stride *= shape[k];
        }
    }
    double here() const { return number_at(operand_, at_); }
    void step(std::size_t axis) { at_ += strides_[axis]; }
    void rewind(std::size_t axis, std::int64_t extent) { at_ -= strides_[axis] * (extent - 1); }

 private:
    const Tensor& operand_;
    std::vector<std::int64_t> strides_;
    std::int64_t at_ = 0;
};

BadElements elementwise(const OpCall& call, const Tensor& output, bool nan) {
    const Shape& shape = output.shape();
    std::vector<Walk> walks;
    for (const Tensor& t : call.inputs) {
        if (!t.defined() || !is_float(t.dtype())) continue;
        if (t.shape().size() > shape.size()) return {};
        walks.emplace_back(t, shape);
    }
    std::vector<std::int64_t> index(shape.size(), 0);
    BadElements found;
    const std::int64_t n = output.count();
    for (std::int64_t i = 0; i < n; ++i) {
        if (is_bad(number_at(output, i), nan)) {
            bool fresh = true;
            for (const Walk& w : walks) fresh = fresh && !spoils(w.here(), nan);
            if (fresh) add(found, i);
        }
        for (std::size_t k = shape.size(); k-- > 0;) {
            if (++index[k] < shape[k]) {
                for (Walk& w : walks) w.step(k);
                break;
            }
            index[k] = 0;
            for (Walk& w : walks) w.rewind(k, shape[k]);
        }
    }
    return found;
}

}  // namespace

BadElements fresh_elements(Context& context, const OpCall& call, const Tensor& output, bool nan) {
    if (call.op.elementwise()) return elementwise(call, output, nan);
    BadElements found;
    int followed = 0;
    const std::int64_t n = output.count();
    for (std::int64_t i = 0; i < n && followed < kMostFollowed; ++i) {
        if (!is_bad(number_at(output, i), nan)) continue;
        const std::vector<Source> sources = sources_of(context, call.op, call.attrs, call.inputs, output, i);
        if (sources.empty() || sources[0].passed_on) return {};
        bool fresh = true;
        for (const Source& s : sources) fresh = fresh && !spoils(s.number, nan);
        if (fresh) add(found, i);
        ++followed;
    }
    return found;
}

}  // namespace fusescope::debug
