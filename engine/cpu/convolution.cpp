#include "engine/cpu/convolution.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "engine/core/allocator.hpp"
#include "engine/core/convert.hpp"
#include "engine/cpu/onednn.hpp"
#include "engine/cpu/parallel.hpp"

namespace fusescope::cpu {
namespace {

using dnnl::memory;

onednn::Key key_of(const ConvShape& s, std::int64_t kind) {
    return {kind, s.n,  s.ic, s.oc, s.id, s.ih, s.iw,    s.od,   s.oh,  s.ow,     s.kd,   s.kh,    s.kw,
            s.sd, s.sh, s.sw, s.dd, s.dh, s.dw, s.front, s.back, s.top, s.bottom, s.left, s.right, s.groups};
}

// One operand: in our plain layout, and in the one that the primitive likes (the library's choice is worth a copy).
struct Operand {
    memory plain, own;
    dnnl::reorder copy;  // to `own` for sources, from it for results
    bool differs = false;

    Operand() = default;
    Operand(const memory::desc& ours, const memory::desc& theirs, bool source) {
        plain = memory(ours, onednn::engine(), nullptr);
        own = memory(theirs, onednn::engine(), nullptr);
        differs = ours != theirs;
        if (differs) copy = source ? dnnl::reorder(plain, own) : dnnl::reorder(own, plain);
    }
    // Points at `data`; a layout of its own lives in `held` meanwhile.
    void bind(const void* data, StorageRef& held) {
        plain.set_data_handle(const_cast<void*>(data));
        if (!differs) return own.set_data_handle(const_cast<void*>(data));
        held = StorageRef(allocator::allocate(own.get_desc().get_size(), DeviceKind::cpu));
        own.set_data_handle(held->data());
    }
    void fetch() {
        if (differs) copy.execute(onednn::stream(), plain, own);
    }
    void give() {
        if (differs) copy.execute(onednn::stream(), own, plain);
    }
};

struct Layouts {
    memory::desc src, weights, bias, dst;  // plain
    memory::desc any_src, any_weights, any_bias, any_dst;
    memory::dims strides, dilates, before, after;

    explicit Layouts(const ConvShape& s) {
        using tag = memory::format_tag;
        const auto f32 = memory::data_type::f32;
        // The library has better kernels for two axes, which are all there are when depth is 1 throughout.
        const bool deep = s.id != 1 || s.od != 1 || s.kd != 1;
        const auto dims = [&](memory::dims first, std::int64_t d, std::int64_t h, std::int64_t w) {
            if (deep) first.push_back(d);
            first.insert(first.end(), {h, w});
            return first;
        };
        src = {dims({s.n, s.ic}, s.id, s.ih, s.iw), f32, deep ? tag::ncdhw : tag::nchw};
        any_src = {src.dims(), f32, tag::any};
        dst = {dims({s.n, s.oc}, s.od, s.oh, s.ow), f32, deep ? tag::ncdhw : tag::nchw};
        any_dst = {dst.dims(), f32, tag::any};
        bias = any_bias = {{s.oc}, f32, tag::x};
        if (s.groups == 1) {
            weights = {dims({s.oc, s.ic}, s.kd, s.kh, s.kw), f32, deep ? tag::oidhw : tag::oihw};
        } else {
            weights = {dims({s.groups, s.oc / s.groups, s.ic / s.groups}, s.kd, s.kh, s.kw), f32,
                       deep ? tag::goidhw : tag::goihw};
        }
        any_weights = {weights.dims(), f32, tag::any};
        strides = dims({}, s.sd, s.sh, s.sw);
        dilates = dims({}, s.dd - 1, s.dh - 1, s.dw - 1);
        before = dims({}, s.front, s.top, s.left);
        after = dims({}, s.back, s.bottom, s.right);
    }
};

dnnl::primitive_attr user_scratchpad() {
    dnnl::primitive_attr attr;
    attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    return attr;
}

struct Convolution {
    dnnl::primitive primitive;
    Operand first, second, result;  // sources, then what is computed
    memory bias, scratch;
    int first_arg = 0, second_arg = 0, result_arg = 0;

    void run(const void* a, const void* b, const void* c, void* out) {
        StorageRef ha, hb, ho;
        first.bind(a, ha);
        second.bind(b, hb);
        result.bind(out, ho);
        first.fetch();
        second.fetch();
        const std::size_t bytes = scratch.get_desc().get_size();
        StorageRef held;
        if (bytes) {
            held = StorageRef(allocator::allocate(bytes, DeviceKind::cpu));
            scratch.set_data_handle(held->data());
        }
        std::unordered_map<int, memory> args{
            {first_arg, first.own}, {second_arg, second.own}, {result_arg, result.own}, {DNNL_ARG_SCRATCHPAD, scratch}};
        if (c) {
            bias.set_data_handle(const_cast<void*>(c));
            args.emplace(DNNL_ARG_BIAS, bias);
        }
        primitive.execute(onednn::stream(), args);
        result.give();
    }
};

dnnl::convolution_forward::primitive_desc forward_desc(const Layouts& l, bool bias, bool relu) {
    dnnl::primitive_attr attr = user_scratchpad();
    if (relu) {
        dnnl::post_ops ops;
        ops.append_eltwise(1.0f, dnnl::algorithm::eltwise_relu, 0.0f, 0.0f);
        attr.set_post_ops(ops);
    }
    const auto kind = dnnl::prop_kind::forward_training;
    const auto how = dnnl::algorithm::convolution_direct;
    const auto d = bias ? dnnl::convolution_forward::desc(kind, how, l.any_src, l.any_weights, l.any_bias, l.any_dst,
                                                          l.strides, l.dilates, l.before, l.after)
                        : dnnl::convolution_forward::desc(kind, how, l.any_src, l.any_weights, l.any_dst, l.strides,
                                                          l.dilates, l.before, l.after);
    return {d, attr, onednn::engine()};
}

onednn::Cache<Convolution>& cache() {
    thread_local onednn::Cache<Convolution> c;
    return c;
}

memory empty(const memory::desc& d) { return memory(d, onednn::engine(), nullptr); }

void forward_f32(const ConvShape& s, const float* src, const float* weights, const float* bias, bool relu, float* dst) {
    cache()
        .get(key_of(s, (bias ? 1 : 0) + (relu ? 2 : 0)),
             [&] {
                 const Layouts l(s);
                 const auto pd = forward_desc(l, bias != nullptr, relu);
                 Convolution c;
                 c.primitive = dnnl::convolution_forward(pd);
                 c.first = Operand(l.src, pd.src_desc(), true);
                 c.second = Operand(l.weights, pd.weights_desc(), true);
                 c.result = Operand(l.dst, pd.dst_desc(), false);
                 c.bias = empty(l.bias);
                 c.scratch = empty(pd.scratchpad_desc());
                 c.first_arg = DNNL_ARG_SRC;
                 c.second_arg = DNNL_ARG_WEIGHTS;
                 c.result_arg = DNNL_ARG_DST;
                 return c;
             })
        .run(src, weights, bias, dst);
}

void input_grad_f32(const ConvShape& s, const float* dst_grad, const float* weights, float* src_grad) {
    cache()
        .get(key_of(s, 4),
             [&] {
                 const Layouts l(s);
                 const dnnl::convolution_backward_data::primitive_desc pd(
                     {dnnl::algorithm::convolution_direct, l.any_src, l.any_weights, l.any_dst, l.strides, l.dilates,
                      l.before, l.after},
                     user_scratchpad(), onednn::engine(), forward_desc(l, false, false));
                 Convolution c;
                 c.primitive = dnnl::convolution_backward_data(pd);
                 c.first = Operand(l.dst, pd.diff_dst_desc(), true);
                 c.second = Operand(l.weights, pd.weights_desc(), true);
                 c.result = Operand(l.src, pd.diff_src_desc(), false);
                 c.scratch = empty(pd.scratchpad_desc());
                 c.first_arg = DNNL_ARG_DIFF_DST;
                 c.second_arg = DNNL_ARG_WEIGHTS;
                 c.result_arg = DNNL_ARG_DIFF_SRC;
                 return c;
             })
        .run(dst_grad, weights, nullptr, src_grad);
}

void weights_grad_f32(const ConvShape& s, const float* dst_grad, const float* src, float* weights_grad) {
    cache()
        .get(key_of(s, 5),
             [&] {
                 const Layouts l(s);
                 const dnnl::convolution_backward_weights::primitive_desc pd(
                     {dnnl::algorithm::convolution_direct, l.any_src, l.any_weights, l.any_dst, l.strides, l.dilates,
                      l.before, l.after},
                     user_scratchpad(), onednn::engine(), forward_desc(l, false, false));
                 Convolution c;
                 c.primitive = dnnl::convolution_backward_weights(pd);
                 c.first = Operand(l.dst, pd.diff_dst_desc(), true);
                 c.second = Operand(l.src, pd.src_desc(), true);
                 c.result = Operand(l.weights, pd.diff_weights_desc(), false);
                 c.scratch = empty(pd.scratchpad_desc());
                 c.first_arg = DNNL_ARG_DIFF_DST;
                 c.second_arg = DNNL_ARG_SRC;
                 c.result_arg = DNNL_ARG_DIFF_WEIGHTS;
                 return c;
             })
        .run(dst_grad, src, nullptr, weights_grad);
}

// Calls f(output position, weight position, input position) for every product of the sum that a convolution is.
template <class F>
void each_product(const ConvShape& s, std::int64_t n, std::int64_t o, F f) {
    const std::int64_t ipg = s.ic / s.groups, group = o / (s.oc / s.groups);
    const std::int64_t kernel = s.kd * s.kh * s.kw;
    for (std::int64_t place = 0; place < s.od * s.oh * s.ow; ++place) {
        const std::int64_t z = place / (s.oh * s.ow), y = place / s.ow % s.oh, x = place % s.ow;
        for (std::int64_t i = 0; i < ipg; ++i)
            for (std::int64_t k = 0; k < kernel; ++k) {
                const std::int64_t iz = z * s.sd - s.front + k / (s.kh * s.kw) * s.dd;
                const std::int64_t iy = y * s.sh - s.top + k / s.kw % s.kh * s.dh;
                const std::int64_t ix = x * s.sw - s.left + k % s.kw * s.dw;
                if (iz < 0 || iz >= s.id || iy < 0 || iy >= s.ih || ix < 0 || ix >= s.iw) continue;
                f((n * s.oc + o) * s.od * s.oh * s.ow + place, (o * ipg + i) * kernel + k,
                  (((n * s.ic + group * ipg + i) * s.id + iz) * s.ih + iy) * s.iw + ix);
            }
    }
}

std::vector<float> widened(DType dtype, const void* p, std::int64_t n) {
    std::vector<float> f(static_cast<std::size_t>(n));
    for (std::int64_t i = 0; i < n; ++i) f[static_cast<std::size_t>(i)] = static_cast<float>(load_double(dtype, p, i));
    return f;
}
void narrowed(DType dtype, const std::vector<float>& f, void* p) {
    for (std::size_t i = 0; i < f.size(); ++i) store_double(dtype, p, static_cast<std::int64_t>(i), f[i]);
}

std::int64_t src_count(const ConvShape& s) { return s.n * s.ic * s.id * s.ih * s.iw; }
std::int64_t dst_count(const ConvShape& s) { return s.n * s.oc * s.od * s.oh * s.ow; }
std::int64_t weights_count(const ConvShape& s) { return s.oc * (s.ic / s.groups) * s.kd * s.kh * s.kw; }

}  // namespace

void conv(DType dtype, const ConvShape& s, const void* src, const void* weights, const void* bias, bool relu,
          void* dst) {
    if (dst_count(s) == 0) return;
    if (dtype == DType::Float64) {
        const auto *x = static_cast<const double*>(src), *w = static_cast<const double*>(weights),
                   *b = static_cast<const double*>(bias);
        auto* y = static_cast<double*>(dst);
        parallel_for(s.n * s.oc, 2, 1, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t p = begin; p < end; ++p) {
                const std::int64_t plane = s.od * s.oh * s.ow;
                std::fill(y + p * plane, y + (p + 1) * plane, b ? b[p % s.oc] : 0.0);
                each_product(s, p / s.oc, p % s.oc,
                             [&](std::int64_t o, std::int64_t k, std::int64_t i) { y[o] += w[k] * x[i]; });
                for (std::int64_t i = p * plane; relu && i < (p + 1) * plane; ++i) y[i] = y[i] < 0 ? 0 : y[i];
            }
        });
        return;
    }
    if (dtype != DType::Float32) {
        const auto x = widened(dtype, src, src_count(s)), w = widened(dtype, weights, weights_count(s));
        const auto b = bias ? widened(dtype, bias, s.oc) : std::vector<float>();
        std::vector<float> y(static_cast<std::size_t>(dst_count(s)));
        forward_f32(s, x.data(), w.data(), bias ? b.data() : nullptr, relu, y.data());
        return narrowed(dtype, y, dst);
    }
    forward_f32(s, static_cast<const float*>(src), static_cast<const float*>(weights), static_cast<const float*>(bias),
                relu, static_cast<float*>(dst));
}

void conv_input_grad(DType dtype, const ConvShape& s, const void* dst_grad, const void* weights, void* src_grad) {
    if (src_count(s) == 0) return;
    if (dst_count(s) == 0) {
        std::memset(src_grad, 0, static_cast<std::size_t>(src_count(s)) * size_of(dtype));
        return;
    }
    if (dtype == DType::Float64) {
        const auto *dy = static_cast<const double*>(dst_grad), *w = static_cast<const double*>(weights);
        auto* dx = static_cast<double*>(src_grad);
        std::fill(dx, dx + src_count(s), 0.0);
        parallel_for(s.n, 2, 1, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t n = begin; n < end; ++n)
                for (std::int64_t o = 0; o < s.oc; ++o)
                    each_product(s, n, o,
                                 [&](std::int64_t y, std::int64_t k, std::int64_t x) { dx[x] += w[k] * dy[y]; });
        });
        return;
    }
    if (dtype != DType::Float32) {
        const auto dy = widened(dtype, dst_grad, dst_count(s)), w = widened(dtype, weights, weights_count(s));
        std::vector<float> dx(static_cast<std::size_t>(src_count(s)));
        input_grad_f32(s, dy.data(), w.data(), dx.data());
        return narrowed(dtype, dx, src_grad);
    }
    input_grad_f32(s, static_cast<const float*>(dst_grad), static_cast<const float*>(weights),
                   static_cast<float*>(src_grad));
}

void conv_weights_grad(DType dtype, const ConvShape& s, const void* dst_grad, const void* src, void* weights_grad) {
    if (weights_count(s) == 0) return;
    if (dst_count(s) == 0) {
        std::memset(weights_grad, 0, static_cast<std::size_t>(weights_count(s)) * size_of(dtype));
        return;
    }
    if (dtype == DType::Float64) {
        const auto *dy = static_cast<const double*>(dst_grad), *x = static_cast<const double*>(src);
        auto* dw = static_cast<double*>(weights_grad);
        std::fill(dw, dw + weights_count(s), 0.0);
        parallel_for(s.oc, 2, 1, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t o = begin; o < end; ++o)
                for (std::int64_t n = 0; n < s.n; ++n)
                    each_product(s, n, o,
                                 [&](std::int64_t y, std::int64_t k, std::int64_t i) { dw[k] += x[i] * dy[y]; });
        });
        return;
    }
    if (dtype != DType::Float32) {
        const auto dy = widened(dtype, dst_grad, dst_count(s)), x = widened(dtype, src, src_count(s));
        std::vector<float> dw(static_cast<std::size_t>(weights_count(s)));
        weights_grad_f32(s, dy.data(), x.data(), dw.data());
        return narrowed(dtype, dw, weights_grad);
    }
    weights_grad_f32(s, static_cast<const float*>(dst_grad), static_cast<const float*>(src),
                     static_cast<float*>(weights_grad));
}

}  // namespace fusescope::cpu
