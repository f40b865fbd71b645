// A user's mistake, explained: what is said when the error is shown, and the same as structured arguments.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/aligned_shapes.hpp"
#include "engine/exec/failed_call.hpp"
#include "engine/exec/producers.hpp"
#include "fusescope/error.hpp"
#include "fusescope/finding.hpp"

namespace fusescope::explain {

using Arguments = std::vector<std::pair<std::string, std::string>>;

/// What the program's own words are: how it calls a tensor, and how a line is named. Either may give an empty string.
struct Words {
    std::function<std::string(const TensorImpl*)> name_of;
    std::function<std::string(FrameId)> place_of;  ///< "line 9", or "net.py, line 9" for another file
};

/// A call that failed, with what is needed to look into it.
struct Case {
    const UserError& error;
    const exec::FailedCall& call;
    const exec::Producers* producers = nullptr;  ///< may be null
    const Words& words;

    const exec::Producer* producer(std::uint32_t number) const { return producers ? producers->find(number) : nullptr; }
    const TensorType& type(std::size_t operand) const { return call.operands[operand].type; }
    /// As the program calls it, a Parameter's name, or the word of the op's schema.
    std::string label(std::size_t operand) const;
    /// "ReduceSum of (2, 3), line 9"; empty when unknown.
    std::string origin(std::size_t operand) const;
    /// "line 9", or "this line" for the line of the call.
    std::string place(FrameId frame) const;
    /// What made an operand, past casts that promotion put in; null when unknown.
    const exec::Producer* maker(std::size_t operand) const;
    /// Whether the op would take its operands with other types and attributes.
    bool accepts(const std::vector<TensorType>& types, const Attrs& attrs) const;
    std::vector<TensorType> types() const;
};

/// Shapes (or dtypes) under one another, with a mark under what clashes.
struct Clash {
    std::string text;     ///< lines, each ended by a newline
    Arguments arguments;  ///< of the finding's sentence
};

/// What would make the call fit.
struct Fit {
    std::string key;  ///< of its sentence in the catalogue: "fit_keep_dims"
    Arguments arguments;
    std::string text;  ///< the same sentence in English
    std::string root_op;
    FrameId root_frame = 0;
};

struct Explanation {
    std::string text;  ///< the whole message
    Finding finding;
};

/// Explains a mistake as well as what is known of it allows. `producers` may be null.
Explanation explain(const UserError& error, const exec::Producers* producers, const Words& words);

/// Records the finding of a mistake about shapes, dtypes or indices.
void report(Context& context, const Explanation& e);

// One file each.
Clash shape_clash(const Case& c);
Clash dtype_clash(const Case& c);
/// Shapes that would fit, likeliest first.
void fit_keep_dims(const Case& c, std::vector<Fit>& fits);
void fit_layout(const Case& c, std::vector<Fit>& fits);
void fit_transpose(const Case& c, std::vector<Fit>& fits);
void fit_swap_operands(const Case& c, std::vector<Fit>& fits);
void fit_expand_dims(const Case& c, std::vector<Fit>& fits);
void fit_pad_mode(const Case& c, std::vector<Fit>& fits);
void fit_flatten(const Case& c, std::vector<Fit>& fits);
void fit_reshape(const Case& c, std::vector<Fit>& fits);
void fit_layer(const Case& c, std::vector<Fit>& fits);
void fit_cast(const Case& c, std::vector<Fit>& fits);

/// The class of a scope's innermost Cell, "Dense" of "Default/fc-Dense", and its name, "fc". Empty at the top.
std::pair<std::string, std::string> cell_of(ScopeId scope);

}  // namespace fusescope::explain
