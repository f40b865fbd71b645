// The base of networks.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "fusescope/parameter.hpp"

namespace fusescope::nn {

/// Owns Parameters, knows the Cells inside it, and names both. A Cell stays where it was made: others point to it.
///
///     struct Net : nn::Cell {
///         nn::Dense first{784, 128}, last{128, 10};
///         Net() { add("first", first); add("last", last); }
///         Tensor construct(const Tensor& x) override { return last(ops::relu(first(x))); }
///     };
class Cell {
 public:
    virtual ~Cell() = default;
    Cell(const Cell&) = delete;
    Cell& operator=(const Cell&) = delete;

    /// Computes, in the scope "NAME-Class" of the Cell that holds this one.
    Tensor operator()(const Tensor& x);
    virtual Tensor construct(const Tensor& x) = 0;

    /// All Parameters, each once, this Cell's own before those of the Cells inside, in order of registration.
    std::vector<Parameter> parameters() const;
    /// Those that want a gradient.
    std::vector<Parameter> trainable_params() const;
    /// By name, "first.weight". Throws UserError (value) when there is none.
    Parameter parameter(const std::string& name) const;

    /// Training or evaluation, here and in all Cells inside; evaluation at first.
    void set_train(bool on = true);
    bool training() const noexcept { return training_; }

 protected:
    /// `kind` is the class's name as scopes show it.
    explicit Cell(std::string kind = "Cell") : kind_(std::move(kind)) {}

    /// Makes a Parameter this Cell's own.
    Parameter add(const std::string& name, const Tensor& value, bool requires_grad = true);
    /// Makes a Cell part of this one; it must live as long. Its Parameters are renamed "NAME.…". Throws UserError
    /// (value) when the name is taken.
    void add(const std::string& name, Cell& cell);

 private:
    void prefix(const std::string& with);
    void collect(std::vector<Parameter>& into) const;

    std::string kind_;
    std::string scope_;
    bool training_ = false;
    std::vector<Parameter> own_;
    std::vector<std::pair<std::string, Cell*>> cells_;
};

}  // namespace fusescope::nn
