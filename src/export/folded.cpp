// "folded": one line a stack, "comm;frame;frame weight", as flamegraph.pl, inferno and speedscope
// read it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/text.h"
#include "export/export.h"

namespace kcost {
namespace {

// The separators of the format are escaped like control characters. Of the last frame blanks too:
// flamegraph.pl takes "name 7" there for a name and a second weight.
std::string frame_name(const std::string& frame, bool last) {
    if (frame.empty()) return "[unknown]";
    std::string name;
    for (char c : escape_for_terminal(frame)) {
        if (c == ';' || (last && c == ' '))
            name += fmt::format("\\x{:02x}", static_cast<unsigned>(c));
        else
            name += c;
    }
    return name;
}

std::string fold(const std::vector<std::string>& frames) {
    std::string line;
    for (std::size_t i = 0; i < frames.size(); ++i) {
        if (i > 0) line += ';';
        line += frame_name(frames[i], i + 1 == frames.size());
    }
    if (line.starts_with('#')) line.replace(0, 1, "\\x23");  // a comment to some readers
    return line;
}

Result<std::string> render(const model::Report& report, const ExportOptions& options) {
    if (options.weight != "calls" && options.weight != "ns")
        return fail(fmt::format("cannot weigh stacks by '{}'", escape_for_terminal(options.weight)),
                    "weights are calls and ns", ExitCode::kUsage);
    if (report.recording != nullptr && report.recording->payers_one_in == 0)
        return fail("cannot fold stacks: the recording has none", "record again with callers");

    // Processes of one name and the same stack are one line. Rounded after adding.
    std::map<std::string, double> lines;
    for (const model::FoldedStack& stack : report.stacks)
        lines[fold(stack.frames)] += options.weight == "ns" ? stack.ns : stack.calls;

    std::string out;
    for (const auto& [line, weight] : lines) {
        constexpr double kMost = 9e15;  // what readers hold exactly in a double
        const long long whole = std::llround(std::clamp(weight, 0.0, kMost));
        if (whole > 0) out += fmt::format("{} {}\n", line, whole);
    }
    return out;
}

}  // namespace

extern const Export kExportFolded = {"folded", "stacks for flame graphs, weighed by calls or ns",
                                     render};

}  // namespace kcost
