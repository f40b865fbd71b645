#include "profiler/report/compare.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "profiler/report/format.hpp"

namespace fusescope::report {

namespace {

std::string head_of(const Report& report) {
    return base_name(report.script) + ", " + report.mode + ", " + report.device + ", " + report.status +
           (report.incomplete ? " (incomplete)" : "");
}

/// Pairs up rows by name. Two rows of one profile with equal names are added up.
class Pairing {
 public:
    void base(const std::string& name, const std::string& detail, std::int64_t count, std::int64_t value) {
        Delta& delta = get(name, detail);
        delta.base_count += count;
        delta.base_value += value;
    }
    void changed(const std::string& name, const std::string& detail, std::int64_t count, std::int64_t value) {
        Delta& delta = get(name, detail);
        delta.new_count += count;
        delta.new_value += value;
    }
    std::vector<Delta> sorted() {
        std::vector<Delta> all;
        for (auto& [name, delta] : deltas_) all.push_back(std::move(delta));
        std::stable_sort(all.begin(), all.end(),
                         [](const Delta& a, const Delta& b) { return std::abs(a.change()) > std::abs(b.change()); });
        return all;
    }

 private:
    Delta& get(const std::string& name, const std::string& detail) {
        Delta& delta = deltas_[name];
        delta.name = name;
        if (delta.detail.empty()) delta.detail = detail;
        return delta;
    }
    std::map<std::string, Delta> deltas_;
};

std::string members_text(const TimeRow& row) {
    std::string text;
    for (const std::string& member : row.members) text += (text.empty() ? "" : ", ") + member;
    return text;
}

ClockComparison compare_clock(const ClockTimes& base, const ClockTimes& changed) {
    ClockComparison result;
    result.clock = base.clock;
    result.total = {"all ops", "", base.count, changed.count, base.self_ns, changed.self_ns};
    Pairing ops, lines, kernels;
    for (const bool is_base : {true, false}) {
        const ClockTimes& times = is_base ? base : changed;
        const auto add = [&](Pairing& pairing, const std::string& name, const std::string& detail, const TimeRow& row) {
            is_base ? pairing.base(name, detail, row.count, row.self_ns)
                    : pairing.changed(name, detail, row.count, row.self_ns);
        };
        for (const TimeRow& row : times.ops) add(ops, row.name, "", row);
        // The script may lie elsewhere and have moved lines: the file's name and the line's text tell more than its
        // number.
        for (const TimeRow& row : times.lines) {
            const std::string where = base_name(row.place.file);
            add(lines, row.place.source.empty() ? place_text(row.place) : where + ": " + row.place.source,
                row.place.source, row);
        }
        for (const TimeRow& row : times.kernels) add(kernels, row.graph + "/" + row.name, members_text(row), row);
    }
    result.ops = ops.sorted();
    result.lines = lines.sorted();
    result.kernels = kernels.sorted();
    return result;
}

using FindingKey = std::tuple<std::string, std::string, std::string, std::string, std::string>;

FindingKey key_of(const FindingRow& finding) {
    const Place& place = finding.place;
    return {finding.kind, finding.op, finding.rule, finding.phase,
            base_name(place.file) + (place.source.empty() ? ":" + std::to_string(place.line) : ": " + place.source)};
}

std::vector<FindingRow> only_in(const std::vector<FindingRow>& these, const std::vector<FindingRow>& others) {
    std::vector<FindingKey> known;
    for (const FindingRow& finding : others) known.push_back(key_of(finding));
    std::sort(known.begin(), known.end());
    std::vector<FindingRow> result;
    for (const FindingRow& finding : these) {
        if (!std::binary_search(known.begin(), known.end(), key_of(finding))) result.push_back(finding);
    }
    return result;
}

}  // namespace

std::optional<double> Delta::percent() const {
    if (base_value <= 0) return std::nullopt;
    return 100.0 * static_cast<double>(change()) / static_cast<double>(base_value);
}

Comparison compare(const Report& base, const Report& changed) {
    Comparison result;
    result.base_profile = base.profile;
    result.new_profile = changed.profile;
    result.base_head = head_of(base);
    result.new_head = head_of(changed);
    result.wall = {"wall", "", 1, 1, base.wall.wall_ns, changed.wall.wall_ns};
    result.compile = {"compiling graphs",
                      "",
                      static_cast<std::int64_t>(base.graphs.size()),
                      static_cast<std::int64_t>(changed.graphs.size()),
                      base.compile_ns,
                      changed.compile_ns};
    for (std::size_t clock = 0; clock < base.times.size(); ++clock) {
        if (base.times[clock].count > 0 || changed.times[clock].count > 0) {
            result.times.push_back(compare_clock(base.times[clock], changed.times[clock]));
        }
    }
    Pairing bytes, times, memory;
    for (const TransferRow& row : base.transfers) {
        bytes.base(row.reason + " " + row.kind, "", row.count, static_cast<std::int64_t>(row.bytes));
        times.base(row.reason + " " + row.kind + clock_mark(row.clock), "", row.count, row.duration_ns);
    }
    for (const TransferRow& row : changed.transfers) {
        bytes.changed(row.reason + " " + row.kind, "", row.count, static_cast<std::int64_t>(row.bytes));
        times.changed(row.reason + " " + row.kind + clock_mark(row.clock), "", row.count, row.duration_ns);
    }
    for (const MemoryRow& row : base.memory) memory.base(row.device, "", 1, row.peak_bytes);
    for (const MemoryRow& row : changed.memory) memory.changed(row.device, "", 1, row.peak_bytes);
    result.transfers = bytes.sorted();
    result.transfer_times = times.sorted();
    result.memory = memory.sorted();
    result.new_findings = only_in(changed.findings, base.findings);
    result.gone_findings = only_in(base.findings, changed.findings);
    if (base.incomplete || changed.incomplete) {
        result.warnings.push_back("a run that was cut short did less work, so its times say little");
    }
    if (base.mode != changed.mode)
        result.warnings.push_back("the runs had different modes: " + base.mode + ", " + changed.mode);
    if (base.device != changed.device) {
        result.warnings.push_back("the runs had different devices: " + base.device + ", " + changed.device);
    }
    if (!growth(result) && (base.times[0].count + base.times[1].count) > 0 &&
        (changed.times[0].count + changed.times[1].count) > 0) {
        result.warnings.push_back("one run has measured and the other modelled times, which cannot be compared");
    }
    return result;
}

std::optional<double> growth(const Comparison& comparison) {
    for (const ClockComparison& times : comparison.times) {
        if (times.total.base_count > 0 && times.total.new_count > 0) return times.total.percent();
    }
    return std::nullopt;
}

}  // namespace fusescope::report
