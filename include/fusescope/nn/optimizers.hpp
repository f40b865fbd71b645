// Optimizers: they move Parameters along their gradients.
#pragma once

#include <vector>

#include "fusescope/function.hpp"
#include "fusescope/parameter.hpp"

namespace fusescope::nn {

/// Calls belong to the optimizer phase of a profile. Names that hold "beta" or "gamma" do not decay.
class Optimizer {
 public:
    virtual ~Optimizer() = default;

    /// One step; one gradient for each Parameter, of its shape. Throws UserError.
    void operator()(std::span<const Tensor> gradients);

    const std::vector<Parameter>& parameters() const noexcept { return parameters_; }
    /// A Float32 scalar; assigning to it changes the rate.
    Parameter learning_rate() const noexcept { return rate_; }

 protected:
    Optimizer(std::vector<Parameter> parameters, double learning_rate, double weight_decay);

    /// Once a step, before the Parameters.
    virtual void begin_step() {}
    virtual void update(std::size_t i, const Tensor& gradient) = 0;

    /// The gradient with the Parameter's pull to zero added.
    Tensor decayed(std::size_t i, const Tensor& gradient) const;
    /// What Parameter i decays by.
    double decay(std::size_t i) const;
    /// A Parameter beside each one, filled with a number.
    std::vector<Parameter> state(const std::string& prefix, double value = 0) const;

    std::vector<Parameter> parameters_;
    Parameter rate_;

 private:
    double weight_decay_;
};

/// p = p - rate · g; with momentum v = momentum · v + (1 - dampening) · g, and v instead of g.
class SGD final : public Optimizer {
 public:
    struct Options {
        double momentum = 0, dampening = 0, weight_decay = 0;
        bool nesterov = false;
    };
    SGD(std::vector<Parameter> parameters, double learning_rate);
    SGD(std::vector<Parameter> parameters, double learning_rate, const Options& options);

 private:
    void update(std::size_t i, const Tensor& gradient) override;
    Options options_;
    Parameter momentum_;
    std::vector<Parameter> accum_, stat_;
};

/// v = momentum · v + g; p = p - rate · v.
class Momentum final : public Optimizer {
 public:
    Momentum(std::vector<Parameter> parameters, double learning_rate, double momentum, double weight_decay = 0,
             bool nesterov = false);

 private:
    void update(std::size_t i, const Tensor& gradient) override;
    bool nesterov_;
    Parameter momentum_;
    std::vector<Parameter> moments_;
};

/// Adaptive moments, corrected for their start at zero (Kingma and Ba 2015).
class Adam final : public Optimizer {
 public:
    struct Options {
        double beta1 = 0.9, beta2 = 0.999, eps = 1e-8, weight_decay = 0;
        bool nesterov = false;
    };
    explicit Adam(std::vector<Parameter> parameters, double learning_rate = 1e-3);
    Adam(std::vector<Parameter> parameters, double learning_rate, const Options& options);

 private:
    void begin_step() override;
    void update(std::size_t i, const Tensor& gradient) override;
    Options options_;
    Parameter beta1_power_, beta2_power_;
    std::vector<Parameter> moment1_, moment2_;
};

/// Adaptive moments without correction, and decay that bypasses them (Loshchilov and Hutter 2019).
class AdamWeightDecay final : public Optimizer {
 public:
    struct Options {
        double beta1 = 0.9, beta2 = 0.999, eps = 1e-6, weight_decay = 0;
    };
    explicit AdamWeightDecay(std::vector<Parameter> parameters, double learning_rate = 1e-3);
    AdamWeightDecay(std::vector<Parameter> parameters, double learning_rate, const Options& options);

 private:
    void update(std::size_t i, const Tensor& gradient) override;
    Options options_;
    std::vector<Parameter> moment1_, moment2_;
};

}  // namespace fusescope::nn
