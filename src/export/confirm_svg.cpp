#include "export/confirm_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "export/confirm_words.h"
#include "export/html.h"

namespace kcost {
namespace {

namespace words = confirm_words;

constexpr double kWidth = 860;
constexpr double kLabelWidth = 330;
constexpr double kRow = 24;
constexpr double kMargin = 12;

struct Bar {
    std::string label;
    model::Estimate ratio;
    bool control = false;
};

std::vector<Bar> bars_of(const model::Confirmation& it) {
    std::vector<Bar> bars;
    for (const model::ConfirmedEffect& effect : it.effects)
        if (effect.judged && effect.ratio) bars.push_back({words::title(effect), *effect.ratio});
    for (const model::ConfirmedMetric& metric : it.metrics)
        if (metric.ratio) bars.push_back({metric.name, *metric.ratio, metric.control});
    return bars;
}

// Powers of two on both sides of 1, what lies beyond ends at the edge with an arrow.
struct Axis {
    double octaves = 1;

    double x(double ratio) const {
        const double log = ratio > 0 ? std::log2(ratio) : -octaves;
        const double place = (std::clamp(log, -octaves, octaves) / octaves + 1) / 2;
        return kLabelWidth + place * (kWidth - kLabelWidth - kMargin);
    }
    bool is_beyond(double ratio) const {
        return !(ratio > 0) || std::abs(std::log2(ratio)) > octaves;
    }
};

Axis axis_of(const std::vector<Bar>& bars) {
    constexpr double kMost = 3;
    Axis axis{0.125};
    for (const Bar& bar : bars)
        for (double edge : {bar.ratio.low, bar.ratio.value, bar.ratio.high})
            while (axis.is_beyond(edge) && axis.octaves < kMost) axis.octaves *= 2;
    axis.octaves = std::min(axis.octaves, kMost);
    return axis;
}

std::string line(double x1, double y1, double x2, double y2, const char* style) {
    return fmt::format(
        "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" class=\"{}\"/>\n", x1, y1,
        x2, y2, style);
}

std::string label(double x, double y, const char* style, const std::string& text) {
    return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" class=\"{}\">{}</text>\n", x, y, style,
                       escape_for_html(text));
}

std::string dot(double x, double y, const char* style, const std::string& title) {
    return fmt::format(
        "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.5\" class=\"{}\"><title>{}</title>"
        "</circle>\n",
        x, y, style, escape_for_html(title));
}

// Told at the edge: the interval goes on, or has no bound.
std::string arrow(double x, double y, bool right) {
    const double back = right ? -7 : 7;
    return fmt::format("<path d=\"M{:.1f} {:.1f} l{:.1f} -4 v8 z\" class=\"arrow\"/>\n", x, y,
                       back);
}

std::string draw_bar(const Axis& axis, const Bar& bar, double y) {
    std::string out =
        label(kLabelWidth - kMargin, y + 4, "label", bar.label + (bar.control ? " (control)" : ""));
    const char* style = bar.control ? "control" : "effect";
    out += line(axis.x(bar.ratio.low), y, axis.x(bar.ratio.high), y, style);
    if (axis.is_beyond(bar.ratio.low)) out += arrow(axis.x(bar.ratio.low), y, bar.ratio.low > 1);
    if (axis.is_beyond(bar.ratio.high)) out += arrow(axis.x(bar.ratio.high), y, bar.ratio.high > 1);
    return out + dot(axis.x(bar.ratio.value), y, style, words::interval(bar.ratio));
}

std::string draw_axis(const Axis& axis, double bottom) {
    std::string out;
    for (double share : {-1.0, -0.5, 0.0, 0.5, 1.0}) {
        const double ratio = std::exp2(share * axis.octaves);
        out += line(axis.x(ratio), kMargin, axis.x(ratio), bottom, share == 0 ? "one" : "grid");
        out += label(axis.x(ratio), bottom + 16, "tick", words::change(ratio));
    }
    return out;
}

std::string svg(double height, const std::string& title, const std::string& inside) {
    return fmt::format(
        "<svg viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\"><title>{}</title>\n{}</svg>\n", kWidth,
        height, escape_for_html(title), inside);
}

struct Range {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();

    double y(double value, double height) const {
        const double share = high > low ? (value - low) / (high - low) : 0.5;
        return kMargin + (1 - share) * (height - 2 * kMargin);
    }
};

Range range_of(const model::ConfirmedMetric& metric) {
    Range range;
    for (const model::MetricSide* side : {&metric.before, &metric.after})
        for (const model::BootPoints& boot : side->boots)
            for (double value : boot.values) {
                if (!std::isfinite(value)) continue;
                range.low = std::min(range.low, value);
                range.high = std::max(range.high, value);
            }
    return range;
}

// One boot is one column of points, and a bar at their mean.
std::string draw_boot(const model::BootPoints& boot, double x, const Range& range,
                      const char* style, double height) {
    std::string out;
    double sum = 0;
    for (double value : boot.values) {
        if (!std::isfinite(value)) continue;
        out += dot(x, range.y(value, height), style, fmt::format("{}: {:.6g}", boot.id, value));
        sum += value / static_cast<double>(boot.values.size());
    }
    const double y = range.y(sum, height);
    return boot.values.empty() ? out : out + line(x - 9, y, x + 9, y, style);
}

}  // namespace

std::string draw_intervals(const model::Confirmation& confirmation) {
    const std::vector<Bar> bars = bars_of(confirmation);
    if (bars.empty()) return "";
    const Axis axis = axis_of(bars);
    const double bottom = kMargin + kRow * static_cast<double>(bars.size());
    std::string inside = draw_axis(axis, bottom);
    double y = kMargin + kRow / 2;
    for (const Bar& bar : bars) {
        inside += draw_bar(axis, bar, y);
        y += kRow;
    }
    return svg(bottom + 24, "after over before, with intervals", inside);
}

std::string draw_points(const model::ConfirmedMetric& metric) {
    constexpr double kHeight = 160;
    constexpr double kLeft = 110;
    const Range range = range_of(metric);
    const auto boots = metric.before.boots.size() + metric.after.boots.size();
    if (boots == 0 || range.high < range.low) return "";
    const double step = (kWidth - kLeft - kMargin) / static_cast<double>(boots + 1);
    std::string inside = label(kLeft - kMargin, range.y(range.high, kHeight) + 4, "label",
                               fmt::format("{:.4g} {}", range.high, metric.unit));
    if (range.high > range.low)
        inside += label(kLeft - kMargin, range.y(range.low, kHeight) + 4, "label",
                        fmt::format("{:.4g} {}", range.low, metric.unit));
    double x = kLeft + step / 2;
    for (const model::MetricSide* side : {&metric.before, &metric.after}) {
        const char* style = side == &metric.before ? "before" : "after";
        for (const model::BootPoints& boot : side->boots) {
            inside += draw_boot(boot, x, range, style, kHeight);
            x += step;
        }
        x += step;
    }
    return svg(kHeight, metric.name + ": each repetition, boot by boot", inside);
}

}  // namespace kcost
