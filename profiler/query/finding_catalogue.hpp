// The sentences of finding_text(). Private to this folder.
#pragma once

#include <span>

namespace fusescope::query {

/// `{op}`, `{count}`, `{total}`, … name a value of the finding. A part in [brackets] is left out when one of its values
/// is not known.
struct FindingSentence {
    const char* key;  ///< a rule, or a kind for findings whose rule has no sentence
    const char* english;
    const char* chinese;
    const char* english_advice;
    const char* chinese_advice;
};

std::span<const FindingSentence> finding_catalogue();

}  // namespace fusescope::query
