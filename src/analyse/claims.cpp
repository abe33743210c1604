#include "analyse/claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "analyse/distributions.h"

namespace kcost {
namespace {

constexpr double kLevel = 0.05;
constexpr unsigned kFewest = 2;  // values that a spread can be of

// One way to read a ±.
struct Way {
    SpreadKind kind = SpreadKind::kSe;
    std::optional<unsigned> n;  // none: many
    std::string what;
};

Way way(SpreadKind kind, unsigned n, const char* note = "") {
    const char* name = kind == SpreadKind::kSd ? "a sample's sd" : "a standard error";
    return {kind, n, fmt::format("± is {}, n = {}{}", name, n, note)};
}

std::vector<Way> ways_of(const Claim& claim) {
    constexpr const char* kNotTold = " (not told: the fewest)";
    // One value has no spread: that n is an error of print.
    const bool told = claim.n && *claim.n >= kFewest;
    const unsigned n = told ? *claim.n : kFewest;
    const char* note = told ? "" : kNotTold;
    std::vector<Way> ways;
    if (claim.spread != SpreadKind::kSe) ways.push_back(way(SpreadKind::kSd, n, note));
    if (claim.spread == SpreadKind::kUnknown || claim.spread == SpreadKind::kSe)
        ways.push_back(way(SpreadKind::kSe, n, note));
    if (!told) ways.push_back({SpreadKind::kSe, std::nullopt, "± is a standard error, n is large"});
    return ways;
}

// The squared standard error of the log of a printed figure.
double log_variance(const PrintedFigure& figure, const Way& way) {
    const double unit = std::pow(10.0, -static_cast<double>(figure.decimals));
    double error = *figure.spread + unit / 2;
    if (way.kind == SpreadKind::kSd) error /= std::sqrt(static_cast<double>(*way.n));
    return (error * error + unit * unit / 12) / (figure.value * figure.value);
}

Reading read(const Claim& claim, const Way& way) {
    const double before = log_variance(*claim.before, way);
    const double after = log_variance(*claim.after, way);
    const double variance = before + after;
    const double difference = std::log(claim.after->value / claim.before->value);
    Reading reading;
    reading.what = way.what;
    reading.df = std::numeric_limits<double>::infinity();
    if (way.n) reading.df = (*way.n - 1) * variance * variance / (before * before + after * after);
    reading.t = difference / std::sqrt(variance);
    reading.p = distributions::t_two_sided_p(reading.t, reading.df);
    const double half = distributions::t_quantile(1 - kLevel / 2, reading.df) * std::sqrt(variance);
    reading.ratio = {std::exp(difference), std::exp(difference - half),
                     std::exp(difference + half)};
    return reading;
}

bool is_positive(const std::optional<PrintedFigure>& figure) {
    return figure && std::isfinite(figure->value) && figure->value > 0;
}

bool has_spread(const std::optional<PrintedFigure>& figure) {
    return is_positive(figure) && figure->spread && std::isfinite(*figure->spread) &&
           *figure->spread >= 0;
}

// A published loss is no claim of a gain that stands.
bool is_better(const Claim& claim, double change) {
    return claim.higher_is_better ? change > 0 : change < 0;
}

const Reading& weakest(const GradedClaim& graded) {
    return *std::max_element(graded.readings.begin(), graded.readings.end(),
                             [](const Reading& a, const Reading& b) { return a.p < b.p; });
}

std::string percent(double change) { return fmt::format("{:+.1f}%", 100 * change); }

Grade grade_of(const Claim& claim, const GradedClaim& graded) {
    if (claim.control) return Grade::kControl;
    if (graded.readings.empty()) return Grade::kSizeOnly;
    if (!excludes_one(weakest(graded).ratio)) return Grade::kNotDistinguishable;
    return is_better(claim, *graded.change) ? Grade::kStands : Grade::kWorse;
}

std::string evidence_of(const GradedClaim& graded) {
    const Reading& reading = weakest(graded);
    return fmt::format("t = {:.2f}, p = {:.2g}, {} to {}, if {}", std::abs(reading.t), reading.p,
                       percent(reading.ratio.low - 1), percent(reading.ratio.high - 1),
                       reading.what);
}

std::string say_control(const GradedClaim& graded) {
    if (!graded.change) return "a control without figures";
    const std::string moved =
        fmt::format("a control that moved by {:.1f}%", 100 * std::abs(*graded.change));
    if (graded.readings.empty()) return moved + "; no spread: cannot be judged beyond its size";
    const bool beyond = excludes_one(weakest(graded).ratio);
    return fmt::format("{}: {} its ± ({})", moved, beyond ? "beyond" : "within",
                       evidence_of(graded));
}

std::string say(const GradedClaim& graded) {
    const std::string change = graded.change ? percent(*graded.change) : "no figure";
    switch (graded.grade) {
        case Grade::kStands:
            return fmt::format("{}: stands ({})", change, evidence_of(graded));
        case Grade::kNotDistinguishable:
            return fmt::format("{}: not distinguishable from zero ({})", change,
                               evidence_of(graded));
        case Grade::kWorse:
            return fmt::format("{}: worse, not better ({})", change, evidence_of(graded));
        case Grade::kControl:
            return say_control(graded);
        case Grade::kSizeOnly:
            break;
    }
    return change + ": no spread: cannot be judged beyond its size";
}

}  // namespace

GradedClaim grade_claim(const Claim& claim) {
    GradedClaim graded;
    graded.change = claim.change;
    if (is_positive(claim.before) && claim.after)
        graded.change = claim.after->value / claim.before->value - 1;
    if (has_spread(claim.before) && has_spread(claim.after))
        for (const Way& way : ways_of(claim)) graded.readings.push_back(read(claim, way));
    graded.grade = grade_of(claim, graded);
    graded.says = say(graded);
    return graded;
}

}  // namespace kcost
