// kcost report: show a recording, on any machine, as anybody.
#include "analyse/report.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <memory>

#include "analyse/only_targets.h"
#include "cli/command.h"
#include "export/export_table.h"
#include "store/recording_file.h"

namespace kcost {
namespace {

struct ReportOptions {
    std::string file;
    std::string format = "table";
    std::vector<std::string> targets;
    ExportOptions render;
};

unsigned terminal_width(unsigned otherwise) {
    winsize size{};
    if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return otherwise;
    return size.ws_col;
}

Result<int> report(const ReportOptions& options) {
    const Export* chosen = nullptr;
    std::string names;
    for (const Export* format : export_table()) {
        if (options.format == format->name) chosen = format;
        names += (names.empty() ? "" : ", ") + std::string(format->name);
    }
    if (!chosen) {
        return fail("there is no format " + options.format, "--format with one of " + names,
                    ExitCode::kUsage);
    }
    auto recording = load_recording(options.file);
    if (recording && !options.targets.empty()) {
        recording = only_targets(std::move(*recording), options.targets);
    }
    if (!recording) return tl::unexpected(recording.error());
    ExportOptions render = options.render;
    if (!render.width) render.width = terminal_width(120);
    auto text = chosen->render(make_report(*recording), render);
    if (!text) return tl::unexpected(text.error());
    bool written = std::fwrite(text->data(), 1, text->size(), stdout) == text->size() &&
                   std::fflush(stdout) == 0;
    if (!written) return fail("cannot write the report to standard output");
    return static_cast<int>(ExitCode::kDone);
}

std::function<Result<int>()> set_up(CLI::App& app) {
    auto options = std::make_shared<ReportOptions>();
    options->render.width = 0;
    app.add_option("FILE", options->file, "A recording")->required();
    std::string names;
    for (const Export* format : export_table()) {
        names += std::string("\n  ") + format->name + ": " + format->summary;
    }
    app.add_option("-f,--format", options->format, "How to show it:" + names)
        ->capture_default_str();
    app.add_option("-t,--target", options->targets,
                   "Only this target of the recording (again for another)")
        ->allow_extra_args(false);
    app.add_option("--weight", options->render.weight, "What weighs a stack: calls or ns")
        ->check(CLI::IsMember({"calls", "ns"}))
        ->capture_default_str();
    app.add_option("--width", options->render.width, "Columns (default: the terminal's)");
    return [options] { return report(*options); };
}

}  // namespace

extern const Command kCommandReport = {"report", "Show a recording", set_up};

}  // namespace kcost
