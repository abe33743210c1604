#include "analyse/comparability.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/text.h"

namespace kcost {
namespace {

using model::Measurement;

struct NeededFact {
    const char* key;
    const char* name;
    bool for_counts = false;  // else for times only
};

constexpr std::array<NeededFact, 20> kNeeded = {{
    {"architecture", "architecture", true},
    {"memory.page_size", "page size", true},
    {"cpu.midr", "CPU model (MIDR)"},
    {"cpu.revidr", "CPU revision (REVIDR)"},
    {"cpu.model", "CPU model"},
    {"cpu.online_list", "CPUs online"},
    {"cpu.isolated", "isolated CPUs"},
    {"numa.nodes", "NUMA nodes"},
    {"cpu.governor", "governor"},
    {"cpu.frequency_limits_khz", "frequency limits"},
    {"cpu.smt", "SMT"},
    {"cpu.mitigations", "mitigations"},
    {"cpu.kpti", "page table isolation"},
    {"memory.total_bytes", "memory"},
    {"memory.thp", "transparent huge pages"},
    {"kernel.config.digest", "kernel configuration"},
    {"kernel.preemption", "preemption"},
    {"kernel.pseudo_nmi", "pseudo-NMI"},
    {"hypervisor", "hypervisor"},
    {"emulated", "emulation"},
}};

// Of a moment or a boot, not of the machine.
constexpr std::array<std::string_view, 5> kOfAMoment = {
    "kernel.boot_id", "load.average", "load.threads", "cpu.steal", "clock.started_ns"};

bool is_of_a_moment(std::string_view key) {
    return std::find(kOfAMoment.begin(), kOfAMoment.end(), key) != kOfAMoment.end();
}

bool is_unknown(std::string_view value) { return value.empty() || value.starts_with("unknown"); }

// All values of a side, each once; none: no session has the fact.
std::vector<std::string> values_of(const Measurement& side, std::string_view key) {
    std::vector<std::string> values;
    for (const model::MeasuredSession& session : side.sessions)
        for (const auto& [name, value] : session.machine)
            if (name == key && std::find(values.begin(), values.end(), value) == values.end())
                values.push_back(value);
    return values;
}

std::string in_words(const std::vector<std::string>& values) {
    if (values.empty()) return "unknown";
    return fmt::format("{}", fmt::join(values, " and "));
}

bool any_unknown(const std::vector<std::string>& values) {
    return values.empty() || std::any_of(values.begin(), values.end(), is_unknown);
}

// What some sessions do not know does not hide how the others differ.
std::vector<std::string> known_values_of(const Measurement& side, std::string_view key) {
    std::vector<std::string> values = values_of(side, key);
    std::erase_if(values, is_unknown);
    return values;
}

bool is_same_memory(const std::vector<std::string>& values) {
    constexpr double kTolerance = 1.02;
    double least = 0, most = 0;
    for (const std::string& value : values) {
        const auto bytes = parse_number(value);
        if (!bytes) return false;
        const double it = static_cast<double>(*bytes);
        least = least == 0 ? it : std::min(least, it);
        most = std::max(most, it);
    }
    return most <= least * kTolerance;
}

bool is_same(std::string_view key, const std::vector<std::string>& before,
             const std::vector<std::string>& after) {
    std::vector<std::string> all = before;
    all.insert(all.end(), after.begin(), after.end());
    if (key == "memory.total_bytes" && is_same_memory(all)) return true;
    return std::all_of(all.begin(), all.end(),
                       [&](const std::string& value) { return value == all.front(); });
}

void compare_fact(const NeededFact& needed, const Measurement& before, const Measurement& after,
                  std::vector<std::string>& unknown, Comparability& result) {
    const auto one = known_values_of(before, needed.key);
    const auto other = known_values_of(after, needed.key);
    const bool all_known =
        one == values_of(before, needed.key) && other == values_of(after, needed.key);
    if (one.empty() || other.empty() || !all_known) unknown.emplace_back(needed.name);
    if (one.empty() || other.empty()) return;
    if (is_same(needed.key, one, other)) return;
    auto& differ = needed.for_counts ? result.counts_differ : result.times_differ;
    differ.push_back(
        fmt::format("{}: {} before, {} after", needed.name, in_words(one), in_words(other)));
}

const char* needed_for(std::string_view key) {
    for (const NeededFact& it : kNeeded)
        if (key == it.key) return it.for_counts ? "counts" : "times";
    return "";
}

std::vector<std::string> keys_of(const Measurement& before, const Measurement& after) {
    std::vector<std::string> keys;
    for (const Measurement* side : {&before, &after})
        for (const model::MeasuredSession& session : side->sessions)
            for (const auto& fact : session.machine)
                if (std::find(keys.begin(), keys.end(), fact.first) == keys.end())
                    keys.push_back(fact.first);
    return keys;
}

void add_facts(const Measurement& before, const Measurement& after, Comparability& result) {
    for (const std::string& key : keys_of(before, after)) {
        if (is_of_a_moment(key)) continue;
        const auto one = values_of(before, key);
        const auto other = values_of(after, key);
        result.facts.push_back(
            {key, in_words(one), in_words(other), needed_for(key), !is_same(key, one, other)});
    }
}

// "6.12.118-rc1" of "6.12.118-rc1-mine+": what builders append does not make another kernel. A
// vendor's level of patches does: "5.10.0-216.0.0.115" of "5.10.0-216.0.0.115.oe2203sp4".
std::string_view without_local_version(std::string_view release) {
    std::size_t end = std::min(release.find_first_not_of("0123456789."), release.size());
    if (release.substr(end).starts_with("-rc"))
        end = std::min(release.find_first_not_of("0123456789", end + 3), release.size());
    const bool level = end + 1 < release.size() && release[end] == '-' && release[end + 1] >= '0' &&
                       release[end + 1] <= '9';
    if (level) end = std::min(release.find_first_not_of("0123456789.", end + 1), release.size());
    return release.substr(0, end);
}

const model::KernelIdentity* kernel_of(const Measurement& side) {
    return side.sessions.empty() ? nullptr : &side.sessions.front().kernel;
}

void compare_kernels(const Measurement& before, const Measurement& after, Comparability& result) {
    const auto* one = kernel_of(before);
    const auto* other = kernel_of(after);
    if (one == nullptr || other == nullptr) return;
    result.same_kernel = *one == *other;
    const auto config = values_of(before, "kernel.config.digest");
    const auto other_config = values_of(after, "kernel.config.digest");
    const bool same_config = !any_unknown(config) && !any_unknown(other_config) &&
                             is_same("kernel.config.digest", config, other_config);
    const bool same_release =
        !is_unknown(one->release) &&
        without_local_version(one->release) == without_local_version(other->release);
    result.same_release_and_config = same_release && same_config;
    if (result.same_release_and_config && one->release != other->release)
        result.notes.push_back(
            fmt::format("the releases differ in what their builder appended: {}, {}", one->release,
                        other->release));
}

}  // namespace

Comparability compare_machines(const Measurement& before, const Measurement& after) {
    Comparability result;
    std::vector<std::string> unknown;
    for (const NeededFact& it : kNeeded) compare_fact(it, before, after, unknown, result);
    if (!unknown.empty())
        result.notes.push_back(
            fmt::format("not compared, since they are not known: {}", fmt::join(unknown, ", ")));
    for (const Measurement* side : {&before, &after})
        for (const model::MeasuredSession& session : side->sessions)
            result.emulated = result.emulated || session.emulated;
    compare_kernels(before, after, result);
    add_facts(before, after, result);
    return result;
}

}  // namespace kcost
