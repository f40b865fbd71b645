// Sentences for findings.
#include "profiler/query/finding_text.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "profiler/query/finding_catalogue.hpp"

namespace fusescope::query {

namespace {

/// A value of the finding by the name that sentences use; empty when it is not known.
std::optional<std::string> value_of(std::string_view name, const FindingDetail& detail, Language language) {
    auto known = [](const std::string& text) { return text.empty() ? std::nullopt : std::optional<std::string>(text); };
    auto number = [](const std::optional<std::int64_t>& value) {
        return value ? std::optional<std::string>(std::to_string(*value)) : std::nullopt;
    };
    if (name == "op") {
        // Most sentences are about what an op does going forward; these speak of gradients themselves.
        const bool of_gradient = detail.phase == "backward" && !detail.rule.starts_with("gradient_") &&
                                 !detail.rule.starts_with("zero_gradient_");
        if (!of_gradient || detail.op.empty()) return known(detail.op);
        return language == Language::english ? "The gradient of " + detail.op : detail.op + " 的梯度";
    }
    if (name == "file") return known(detail.file);
    if (name == "count") return number(detail.count);
    if (name == "elements") {  // English only: Chinese has no plural
        return detail.count ? std::optional<std::string>(
                                  fmt::format("{} element{}", *detail.count, *detail.count == 1 ? "" : "s"))
                            : std::nullopt;
    }
    if (name == "step") return number(detail.step);
    if (name == "index") {
        return detail.index.empty() ? std::nullopt
                                    : std::optional<std::string>(fmt::format("({})", fmt::join(detail.index, ", ")));
    }
    if (name == "inputs") return known(fmt::format("{}", fmt::join(detail.inputs, ", ")));
    if (name == "shapes") return known(fmt::format("{}", fmt::join(detail.shapes, ", ")));
    if (name == "root") return known(detail.root_op);
    if (name == "root_element") {  // "probs[0, 1]", or "element (0, 1)" of a line that assigns to no name
        if (detail.root_value.empty()) return std::nullopt;
        const bool english = language == Language::english;
        if (detail.root_name.empty() && detail.root_index.empty()) return english ? "the value" : "值";
        if (detail.root_name.empty()) {
            return fmt::format("{} ({})", english ? "element" : "元素", fmt::join(detail.root_index, ", "));
        }
        if (detail.root_index.empty()) return detail.root_name;
        return fmt::format("{}[{}]", detail.root_name, fmt::join(detail.root_index, ", "));
    }
    if (name == "root_value") return known(detail.root_value);
    if (name == "root_line") {
        return detail.root_line > 0 ? std::optional<std::string>(std::to_string(detail.root_line)) : std::nullopt;
    }
    auto found = detail.arguments.find(std::string(name));
    return found == detail.arguments.end() ? std::nullopt : known(found->second);
}

/// Fills in a template. `complete` turns false when a value outside of brackets is missing.
std::string filled(const FindingSentence& in, const FindingDetail& detail, Language language, bool& complete) {
    const std::string_view sentence = language == Language::english ? in.english : in.chinese;
    std::string text;
    std::string part;
    bool in_part = false;
    bool part_known = true;
    for (std::size_t i = 0; i < sentence.size(); ++i) {
        char c = sentence[i];
        std::string& out = in_part ? part : text;
        if (c == '[') {
            in_part = true;
            part_known = true;
            part.clear();
        } else if (c == ']') {
            if (part_known) text += part;
            in_part = false;
        } else if (c == '{') {
            std::size_t end = sentence.find('}', i);
            if (std::optional<std::string> value = value_of(sentence.substr(i + 1, end - i - 1), detail, language)) {
                out += *value;
            } else {
                (in_part ? part_known : complete) = false;
            }
            i = end;
        } else {
            out += c;
        }
    }
    return text;
}

const FindingSentence* sentence_for(std::string_view key) {
    for (const FindingSentence& sentence : finding_catalogue()) {
        if (key == sentence.key) return &sentence;
    }
    return nullptr;
}

/// What follows on the sentence of any rule.
std::string tail_text(std::string_view key, const FindingDetail& detail, Language language) {
    const FindingSentence* sentence = sentence_for(key);
    bool complete = true;
    std::string text = filled(*sentence, detail, language, complete);
    return complete ? text : std::string();
}

}  // namespace

std::string finding_text(std::string_view kind, const FindingDetail& detail, Language language) {
    for (std::string_view key : {std::string_view(detail.rule), kind}) {
        const FindingSentence* sentence = sentence_for(key);
        if (sentence == nullptr) continue;
        bool complete = true;
        std::string text = filled(*sentence, detail, language, complete);
        if (!complete) continue;
        if (detail.root_line > 0) text += tail_text("root_tail", detail, language);
        if (detail.arguments.contains("occurrence")) text += tail_text("occurrence_tail", detail, language);
        if (detail.reach == "absorbed") text += tail_text("absorbed_tail", detail, language);
        return text;
    }
    return fmt::format("{}{}{}", kind, detail.op.empty() ? "" : ": ", detail.op);
}

std::string finding_advice(std::string_view kind, const FindingDetail& detail, Language language) {
    // What would fit was found by trying; its sentence is better than what can be said of all such mistakes.
    if (auto fit = detail.arguments.find("fit"); fit != detail.arguments.end()) {
        if (const FindingSentence* sentence = sentence_for(fit->second)) {
            bool complete = true;
            return filled(*sentence, detail, language, complete);
        }
    }
    for (std::string_view key : {std::string_view(detail.rule), kind}) {
        if (const FindingSentence* sentence = sentence_for(key)) {
            return language == Language::english ? sentence->english_advice : sentence->chinese_advice;
        }
    }
    return {};
}

std::vector<std::string> catalogued_rules() {
    std::vector<std::string> keys;
    for (const FindingSentence& sentence : finding_catalogue()) keys.emplace_back(sentence.key);
    return keys;
}

}  // namespace fusescope::query
