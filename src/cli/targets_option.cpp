#include "cli/targets_option.h"

#include <bit>

#include "base/log.h"
#include "cli/progress.h"

namespace kcost {

void MeasureOptions::add_to(CLI::App& app) {
    app.add_option("-t,--target", targets,
                   "A hot path of `kcost list`, FUNCTION, MODULE:FUNCTION, PATH:FUNCTION, "
                   "FUNCTION+0xOFFSET or 0xADDRESS, then settings: ,within=FUNCTION ,when=arg4!=0 "
                   ",when=return==1 ,split=arg1-arg0 ,split=caller ,by=hwbreak ,in=FUNCTION; may "
                   "be given again (default: all hot paths but those that are measured only when "
                   "named)")
        ->take_all()
        ->allow_extra_args(false);
    app.add_option("--callers-one-in", callers_one_in,
                   "Take callers and process of one hit in N, a power of two; 0: of none")
        ->capture_default_str();
    app.add_flag("--count-only", count_only, "Count entries; time nothing");
    app.add_flag("--time-throwing", time_throwing,
                 "Time functions of programs that throw C++ exceptions: one thrown through such a "
                 "function ends the program");
    app.add_option("--allow-stops", allow_stops,
                   "How often kprobes may stop all CPUs of a machine of 32 or more")
        ->capture_default_str();
}

Result<std::vector<model::HotPath>> MeasureOptions::parse_targets() const {
    std::vector<model::HotPath> parsed;
    if (targets.empty()) {
        for (const model::HotPath& path : model::built_in_hot_paths()) {
            if (!path.only_by_name) parsed.push_back(path);
        }
    }
    for (const std::string& text : targets) {
        auto target = model::parse_target(text);
        if (!target) return tl::unexpected(target.error());
        parsed.push_back(std::move(*target));
    }
    return parsed;
}

Result<probe::SessionOptions> MeasureOptions::session_options() const {
    if (callers_one_in && !std::has_single_bit(callers_one_in)) {
        return fail("cannot take callers of one hit in " + std::to_string(callers_one_in) +
                        ": not a power of two",
                    "--callers-one-in " + std::to_string(std::bit_floor(callers_one_in)),
                    ExitCode::kUsage);
    }
    probe::SessionOptions options;
    options.payers_one_in = callers_one_in;
    options.count_only = count_only;
    options.time_throwing = time_throwing;
    options.allow_stops = allow_stops;
    options.progress = show_attaching;
    return options;
}

}  // namespace kcost
