// Sentences for findings. A profile holds kind, rule and arguments; the sentence is made here, in the reader's
// language.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "profiler/query/finding_detail.hpp"

namespace fusescope::query {

enum class Language { english, chinese };

/// The sentence for a finding of `kind`. A rule that the catalogue does not know gets the sentence of its kind.
std::string finding_text(std::string_view kind, const FindingDetail& detail, Language language = Language::english);

/// What to try; empty when the catalogue has no advice.
std::string finding_advice(std::string_view kind, const FindingDetail& detail, Language language = Language::english);

/// Rules that have a sentence of their own, and the kinds.
std::vector<std::string> catalogued_rules();

}  // namespace fusescope::query
