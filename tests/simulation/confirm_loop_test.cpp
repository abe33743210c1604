// The whole loop, simulated: boots in random blocks, repetitions until the mean is precise, three
// looks, the stop by precision, the verdict. Fixed seeds: the rates are the same each time.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <random>

#include "analyse/boots_needed.h"
#include "analyse/looks.h"
#include "analyse/verdict.h"

namespace kcost {
namespace {

constexpr int kSets = 1000;
constexpr std::size_t kLeastRepetitions = 10;
constexpr std::size_t kMostRepetitions = 25;
constexpr double kRepetitionPrecision = 0.005;  // of one boot's mean
constexpr double kBootPrecision = 0.01;         // of the ratio
constexpr double kRepetitionSd = 0.01;

struct Noise {
    double boot_sd = 0;
    double outlier_chance = 0;       // a repetition 10 sd off
    double boot_outlier_chance = 0;  // a boot 10 sd off
    double session_drift = 0;        // from a boot's first repetition to its last
    double schedule_drift = 0;       // from the first boot to the last
};

class Machine {
public:
    Machine(const Noise& noise, unsigned seed) : noise_(noise), random_(seed) {}

    Boot boot(double log_level) {
        log_level += noise_.boot_sd * normal_(random_) + off(noise_.boot_outlier_chance);
        Boot boot;
        while (boot.values.size() < kMostRepetitions) {
            const double done = static_cast<double>(boot.values.size()) / kMostRepetitions;
            boot.values.push_back(std::exp(log_level + noise_.session_drift * done +
                                           kRepetitionSd * normal_(random_) +
                                           off(noise_.outlier_chance)));
            if (boot.values.size() >= kLeastRepetitions &&
                precise_enough(boot.values, kRepetitionPrecision))
                break;
        }
        return boot;
    }

    bool coin() { return random_() & 1; }

private:
    double off(double chance) {
        if (chance == 0 || uniform_(random_) >= chance) return 0;
        return (coin() ? 10 : -10) * kRepetitionSd;
    }

    Noise noise_;
    std::mt19937_64 random_;
    std::normal_distribution<double> normal_;
    std::uniform_real_distribution<double> uniform_{0, 1};
};

struct Sides {
    std::vector<Boot> before;
    std::vector<Boot> after;
};

// One boot a side, in random order.
void add_block(Machine& machine, Sides& sides, double level, double effect) {
    const bool after_first = machine.coin();
    for (bool after : {after_first, !after_first}) {
        auto& side = after ? sides.after : sides.before;
        side.push_back(machine.boot(level + (after ? effect : 0)));
    }
}

Comparison compare_sides(const Sides& sides) {
    return *compare(*make_units(sides.before, "rate"), *make_units(sides.after, "rate"), {});
}

// Everything but the benefit is as it should be, so that the benefit alone decides.
Outcome judge(const Comparison& comparison, unsigned look) {
    VerdictInput input;
    input.scope = Scope::kPatch;
    input.look = look;
    input.before = Evidence::kAbsent;
    input.after = Evidence::kPresent;
    input.mechanism = {{.name = "flushes per hit", .ratio = {0, 0, 0.001}}};
    input.benefits = {{"rate", comparison, "", true, std::nullopt}};
    Comparison still;
    still.ratio = {1, 0.999, 1.001};
    still.standard_error = 1e-4;
    still.df = 20;
    still.boots_before = still.boots_after = 11;
    input.controls = {{"control", still, ""}};
    return decide(input)->outcome;
}

bool is_alarm(Outcome outcome) {
    return outcome == Outcome::kConfirmed || outcome == Outcome::kRegressed;
}

// Looks after a third, two thirds and all of the boots; from ten a side on it also stops as soon as
// the ratio is precise, and that is its last look.
bool finds_a_difference(Machine& machine, const Noise& noise, std::size_t boots, double effect) {
    Sides sides;
    unsigned look = 0;
    for (std::size_t block = 1; block <= boots; block++) {
        const double level = noise.schedule_drift * static_cast<double>(block) / boots;
        add_block(machine, sides, level, effect);
        if (block < kFewestBoots) continue;
        const Comparison comparison = compare_sides(sides);
        const bool precise = precise_enough(comparison, kBootPrecision);
        const bool planned = block * kMostLooks >= boots * (look + 1);
        if (!precise && !planned) continue;
        if (is_alarm(judge(comparison, ++look))) return true;
        if (precise || look == kMostLooks) return false;
    }
    return false;
}

double false_alarms(const Noise& noise, std::size_t boots, unsigned seed) {
    int alarms = 0;
    for (int set = 0; set < kSets; set++) {
        Machine machine(noise, seed * 100'000 + set);
        alarms += finds_a_difference(machine, noise, boots, 0);
    }
    return static_cast<double>(alarms) / kSets;
}

// 5% and two standard errors of a rate from 1,000.
constexpr double kMostAlarms = 0.064;

void expect_few_alarms(const char* what, const Noise& noise, unsigned seed) {
    for (std::size_t boots : {5u, 15u}) {
        const double rate = false_alarms(noise, boots, seed);
        std::printf("false alarms, %s, %zu boots a side: %.1f%%\n", what, boots, 100 * rate);
        EXPECT_LE(rate, kMostAlarms) << what << ", " << boots << " boots a side";
    }
}

TEST(ConfirmLoop, FalseAlarmsByBootSpread) {
    expect_few_alarms("boot sd 0", {}, 1);
    expect_few_alarms("boot sd 1/2", {.boot_sd = kRepetitionSd / 2}, 2);
    expect_few_alarms("boot sd 1", {.boot_sd = kRepetitionSd}, 3);
    expect_few_alarms("boot sd 2", {.boot_sd = 2 * kRepetitionSd}, 4);
}

TEST(ConfirmLoop, FalseAlarmsWithOutliersAndDrift) {
    const double boot_sd = kRepetitionSd / 2;
    expect_few_alarms("outliers", {.boot_sd = boot_sd, .outlier_chance = 0.03}, 5);
    expect_few_alarms("boot outliers", {.boot_sd = boot_sd, .boot_outlier_chance = 0.1}, 6);
    expect_few_alarms("drift in sessions", {.boot_sd = boot_sd, .session_drift = 0.03}, 7);
    expect_few_alarms("drift over boots", {.boot_sd = boot_sd, .schedule_drift = 0.05}, 8);
}

// An A/A of ten boots, then as many boots as it asks for, and one look.
double found(const Noise& noise, double effect, unsigned seed) {
    int found = 0;
    double asked = 0;
    for (int set = 0; set < kSets; set++) {
        Machine machine(noise, seed * 100'000 + set);
        std::vector<Boot> boots;
        for (int i = 0; i < 10; i++) boots.push_back(machine.boot(0));
        const auto parts = variance_components(boots);
        const auto needed =
            boots_needed(spread_of(*parts, parts->repetitions), {.ratio = 1 + effect});
        Sides sides;
        for (std::size_t i = 0; i < needed.value_or(kMostBoots); i++)
            add_block(machine, sides, 0, std::log1p(effect));
        found += judge(compare_sides(sides), 1) == Outcome::kConfirmed;
        asked += static_cast<double>(needed.value_or(kMostBoots));
    }
    std::printf("boot sd %.3f: %.1f boots a side asked for, %.0f%% effect found in %.1f%%\n",
                noise.boot_sd, asked / kSets, 100 * effect, 100.0 * found / kSets);
    return static_cast<double>(found) / kSets;
}

TEST(ConfirmLoop, APercentIsFoundWithTheBootsAskedFor) {
    for (double share : {0.0, 0.5, 1.0, 2.0})
        EXPECT_GE(found({.boot_sd = share * kRepetitionSd}, 0.01, 11), 0.8) << share;
}

// That the simulation can fail: with repetitions as units, of one boot a side, it finds alarms.
TEST(ConfirmLoop, RepetitionsAsUnitsRaiseAlarms) {
    int alarms = 0;
    for (int set = 0; set < kSets; set++) {
        Machine machine({.boot_sd = kRepetitionSd / 2}, 800'000 + set);
        Sides sides;
        for (auto* side : {&sides.before, &sides.after})
            for (double value : machine.boot(0).values) side->push_back({"", {value}});
        alarms += is_alarm(judge(compare_sides(sides), 1));
    }
    EXPECT_GT(alarms, kSets / 5);
}

// What is assumed of boots where they are few: 2% each.
TEST(ConfirmLoop, FalseAlarmsOfFewBoots) {
    for (double boot_sd : {0.0, 0.02, 0.04}) {
        for (int boots : {1, 2}) {
            int alarms = 0;
            for (int set = 0; set < kSets; set++) {
                Machine machine({.boot_sd = boot_sd}, 900'000 + set);
                Sides sides;
                for (int i = 0; i < boots; i++) add_block(machine, sides, 0, 0);
                alarms += is_alarm(judge(compare_sides(sides), 1));
            }
            std::printf("false alarms, boot sd %.0f%%, %d boots a side: %.1f%%\n", 100 * boot_sd,
                        boots, 100.0 * alarms / kSets);
            EXPECT_LE(alarms, kMostAlarms * kSets) << boot_sd << ", " << boots << " boots a side";
        }
    }
}

}  // namespace
}  // namespace kcost
