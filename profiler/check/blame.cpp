#include "profiler/check/blame.hpp"

namespace fusescope::check {

namespace {

/// "-all,+cse,+dce": the first so many.
std::string first_of(const std::vector<std::string>& passes, std::size_t count) {
    std::string spec = "-all";
    for (std::size_t i = 0; i < count; ++i) spec += ",+" + passes[i];
    return spec;
}

/// The smallest number above `no` for which the answer turns from no to yes, given that it is yes for `yes`. Where it
/// turns more than once, one of these places.
template <class Ask>
std::uint64_t turning_point(std::uint64_t no, std::uint64_t yes, const Ask& ask) {
    while (yes - no > 1) {
        const std::uint64_t middle = no + (yes - no) / 2;
        (ask(middle) ? yes : no) = middle;
    }
    return yes;
}

}  // namespace

Blame find_blame(const std::vector<std::string>& passes, const Prober& probe) {
    Blame blame;
    const auto ask = [&](const std::string& spec, const std::string& pass) {
        ++blame.runs;
        return probe(spec, pass);
    };
    blame.passes = first_of(passes, 0);
    if (passes.empty() || ask(blame.passes, "").differs) return blame;
    const std::uint64_t number =
        turning_point(0, passes.size(), [&](std::uint64_t count) { return ask(first_of(passes, count), "").differs; });
    blame.pass = passes[number - 1];
    blame.passes = first_of({blame.pass}, 1);
    Probe base = ask(blame.passes, blame.pass);
    if (!base.differs) {
        blame.alone = false;
        blame.passes = first_of(passes, number);
        base = ask(blame.passes, blame.pass);
    }
    blame.rewrites = base.rewrites;
    // A difference that is gone now comes and goes by itself; and a pass that lays out memory rewrites nothing.
    if (!base.differs || base.rewrites == 0) return blame;
    const auto limited = [&](std::uint64_t count) { return blame.passes + "=" + std::to_string(count); };
    blame.rewrite =
        turning_point(0, base.rewrites, [&](std::uint64_t count) { return ask(limited(count), "").differs; });
    blame.passes_with = limited(blame.rewrite);
    return blame;
}

}  // namespace fusescope::check
