// "table": for a terminal, as narrow as is asked for. Plain ASCII marks; what comes from outside
// is escaped.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "export/export.h"

namespace kcost {
namespace {

using model::ReportRow;

constexpr std::size_t kGap = 2;  // between columns
constexpr std::size_t kLeastName = 16;
constexpr std::size_t kLeastWidth = 40;

std::string compact_ns(double ns) {
    std::string text = format_ns(ns);
    std::erase(text, ' ');
    return text;
}

// A duration under twice what a span of nothing costs is no figure.
std::string duration(const ReportRow& row, double ns) {
    if (!row.timed) return "-";
    if (row.floor_ns > 0 && ns < 2 * static_cast<double>(row.floor_ns)) return "<=floor";
    return compact_ns(ns);
}

std::string at_least(const ReportRow& row, const std::string& figure) {
    if (row.lower_bound && row.upper_bound) return "~" + figure;
    if (row.upper_bound) return "<=" + figure;
    return row.lower_bound ? ">=" + figure : figure;
}

std::string exact_count(std::uint64_t count) {
    constexpr std::uint64_t kSevenDigits = 10'000'000;
    return count < kSevenDigits ? fmt::format("{}", count)
                                : format_count(static_cast<double>(count));
}

bool measured(const ReportRow& row) { return row.depth > 0 || !row.mechanism.empty(); }

std::string calls(const ReportRow& row) { return at_least(row, exact_count(row.calls)); }
std::string rate(const ReportRow& row) { return at_least(row, format_count(row.calls_per_s)); }

// At the floor most of the time is the probe's own, so the share is less than its figure. Hits that
// may have been counted twice are not timed.
std::string share(const ReportRow& row) {
    if (!row.timed || (row.at_floor && row.lower_bound)) return "-";
    const std::string figure = format_percent(row.share);
    if (figure.starts_with('<')) return row.lower_bound ? ">0%" : figure;
    if (row.at_floor) return "<=" + figure;
    return row.lower_bound ? ">=" + figure : figure;
}
std::string share_of(const ReportRow& row) {
    if (!row.timed) return "-";
    return row.cpu_share ? "cpu" : "elapsed";
}

std::string mean(const ReportRow& row) { return duration(row, row.mean_ns); }
std::string p50(const ReportRow& row) { return duration(row, row.p50_ns); }
std::string p99(const ReportRow& row) { return duration(row, row.p99_ns); }
std::string max(const ReportRow& row) { return duration(row, static_cast<double>(row.max_ns)); }

std::string lost(const ReportRow& row) {
    if (row.mechanism.empty()) return "";  // of a split it is not known
    if (!row.lost_unknown) return exact_count(row.lost);
    return row.lost == 0 ? "?" : ">=" + exact_count(row.lost);
}
std::string mechanism(const ReportRow& row) { return escape_for_terminal(row.mechanism); }

struct Column {
    const char* heading;
    std::string (*cell)(const ReportRow&);
    unsigned dropped = 0;  // 1: first to go where there is no room, 0: never
    bool left = false;
};

constexpr std::array<Column, 10> kColumns = {{
    {"calls", calls},
    {"calls/s", rate, 4},
    {"share", share},
    {"of", share_of, 6, true},
    {"avg", mean},
    {"p50", p50, 1},
    {"p99", p99, 3},
    {"max", max, 2},
    {"lost", lost},
    {"mechanism", mechanism, 5, true},
}};

struct Grid {
    std::vector<const Column*> columns;
    std::vector<std::size_t> widths;
    std::vector<std::string> names;
    std::size_t name_width = 0;
    std::vector<std::string> left_out;
};

std::string shown_name(const ReportRow& row) {
    return std::string(row.depth * 2, ' ') + escape_for_terminal(row.name);
}

std::size_t width_of(const Column& column, const std::vector<ReportRow>& rows) {
    std::size_t width = std::string_view(column.heading).size();
    for (const ReportRow& row : rows)
        if (measured(row)) width = std::max(width, display_width(column.cell(row)));
    return width;
}

std::size_t figures_width(const Grid& grid) {
    std::size_t width = 0;
    for (std::size_t column : grid.widths) width += kGap + column;
    return width;
}

void drop_columns(Grid& grid, std::size_t width) {
    for (unsigned rank = 1; rank <= 6 && figures_width(grid) + kLeastName > width; ++rank) {
        for (std::size_t i = 0; i < grid.columns.size(); ++i) {
            if (grid.columns[i]->dropped != rank) continue;
            grid.left_out.emplace_back(grid.columns[i]->heading);
            grid.columns.erase(grid.columns.begin() + static_cast<std::ptrdiff_t>(i));
            grid.widths.erase(grid.widths.begin() + static_cast<std::ptrdiff_t>(i));
            break;
        }
    }
}

Grid lay_out(const std::vector<ReportRow>& rows, std::size_t width) {
    Grid grid;
    for (const Column& column : kColumns) {
        grid.columns.push_back(&column);
        grid.widths.push_back(width_of(column, rows));
    }
    drop_columns(grid, width);

    std::size_t longest = std::string_view("target").size();
    for (const ReportRow& row : rows) {
        grid.names.push_back(shown_name(row));
        longest = std::max(longest, display_width(grid.names.back()));
    }
    const std::size_t figures = figures_width(grid);
    const std::size_t room = width > figures ? width - figures : 0;
    grid.name_width = std::min(longest, std::max(room, kLeastName));
    return grid;
}

std::string padded(const std::string& text, std::size_t width, bool left) {
    const std::string space(width - std::min(width, display_width(text)), ' ');
    return left ? text + space : space + text;
}

// Ends a line without trailing blanks.
void end_line(std::string& out) {
    while (out.ends_with(' ')) out.pop_back();
    out += '\n';
}

void add_heading(std::string& out, const Grid& grid, bool color) {
    if (color) out += "\x1b[1m";
    out += padded("target", grid.name_width, true);
    for (std::size_t i = 0; i < grid.columns.size(); ++i)
        out += std::string(kGap, ' ') +
               padded(grid.columns[i]->heading, grid.widths[i], grid.columns[i]->left);
    while (out.ends_with(' ')) out.pop_back();
    if (color) out += "\x1b[0m";
    out += '\n';
}

// A name that is too long for its column has a line of its own: callers are told by their end.
void add_row(std::string& out, const Grid& grid, const ReportRow& row, std::string name) {
    if (display_width(name) > grid.name_width) {
        out += name + '\n';
        name.clear();
    }
    out += padded(name, grid.name_width, true);
    if (!measured(row)) {
        out += std::string(kGap, ' ') + "not measured\n";
        return;
    }
    for (std::size_t i = 0; i < grid.columns.size(); ++i)
        out += std::string(kGap, ' ') +
               padded(grid.columns[i]->cell(row), grid.widths[i], grid.columns[i]->left);
    end_line(out);
}

// "- text" broken between words at the width.
void add_note(std::string& out, const std::string& note, std::size_t width) {
    const std::string safe = escape_for_terminal(note);
    std::string line = "-";
    for (std::string_view word : split(safe, ' ')) {
        if (line.size() > 2 && display_width(line) + 1 + display_width(word) > width) {
            out += line + '\n';
            line = " ";
        }
        line += ' ';
        line += word;
    }
    out += line;
    end_line(out);
}

std::string fact(const model::Recording& recording, std::string_view key) {
    for (const auto& [name, value] : recording.machine)
        if (name == key) return value;
    return {};
}

// "10.0 s counted on 2 CPUs, Linux 6.12.107, from 2026-11-30T12:00:00Z"
std::string title(const model::Recording& recording) {
    std::string text =
        fmt::format("{} counted on {} CPU{}", format_ns(static_cast<double>(recording.window_ns)),
                    recording.cpus, recording.cpus == 1 ? "" : "s");
    if (const std::string release = fact(recording, "kernel.release"); !release.empty())
        text += ", Linux " + release;
    if (!recording.started_at.empty()) text += ", from " + recording.started_at;
    return escape_for_terminal(text);
}

Result<std::string> render(const model::Report& report, const ExportOptions& options) {
    const std::size_t width = std::max<std::size_t>(options.width, kLeastWidth);
    const Grid grid = lay_out(report.rows, width);
    std::string out;
    if (report.recording != nullptr) out += title(*report.recording) + "\n\n";
    add_heading(out, grid, options.color);
    for (std::size_t i = 0; i < report.rows.size(); ++i)
        add_row(out, grid, report.rows[i], grid.names[i]);

    std::vector<std::string> notes = report.notes;
    if (!grid.left_out.empty())
        notes.push_back(fmt::format("no room for {}", fmt::join(grid.left_out, ", ")));
    if (!notes.empty()) out += '\n';
    for (const std::string& note : notes) add_note(out, note, width);
    return out;
}

}  // namespace

extern const Export kExportTable = {"table", "rows and columns for a terminal", render};

}  // namespace kcost
