#include "cli/session_facts.h"

#include <fmt/format.h>

#include <ctime>

#include "base/text.h"
#include "kernel/facts.h"
#include "kernel/identity.h"
#include "kernel/machine.h"
#include "patch/catalogue.h"
#include "patch/report.h"
#include "patch/subject.h"

namespace kcost {
namespace {

Result<std::vector<model::PatchEvidence>> read_evidence(const std::string& folder,
                                                        const model::Machine& machine) {
    auto known = patch::read_catalogue(folder.empty() ? patch::catalogue_folder() : folder);
    if (!known) return tl::unexpected(known.error());
    auto subject = patch::read_running_kernel({}, patch::symbols_of(*known));
    if (!subject) return tl::unexpected(subject.error());
    std::vector<model::PatchEvidence> evidence;
    for (model::PatchReport& report : patch::report(*known, *subject, machine))
        evidence.push_back({report.patch.slug, std::move(report.finding)});
    return evidence;
}

// "unknown" on one side tells nothing.
bool differ(const std::string& before, const std::string& now) {
    const bool known = !before.starts_with(kernel::kUnknown) && !now.starts_with(kernel::kUnknown);
    return known && before != now;
}

std::string difference(const model::KernelIdentity& before, const model::KernelIdentity& now) {
    const std::pair<const char*, std::string model::KernelIdentity::*> parts[] = {
        {"release", &model::KernelIdentity::release},
        {"version", &model::KernelIdentity::version},
        {"build id", &model::KernelIdentity::build_id},
        {"text", &model::KernelIdentity::text_layout}};
    for (const auto& [name, part] : parts) {
        if (differ(before.*part, now.*part))
            return fmt::format("its {} is {}, not {}", name, now.*part, before.*part);
    }
    return "";
}

}  // namespace

model::MeasuredSession read_session_facts(const std::string& patches_folder) {
    model::MeasuredSession session;
    session.machine = kernel::read_machine({});
    session.boot_id = kernel::fact(session.machine, "kernel.boot_id");
    if (session.boot_id.starts_with(kernel::kUnknown)) session.boot_id.clear();
    session.started_at = format_utc(std::time(nullptr));
    session.kcost_version = KCOST_VERSION;
    session.kernel = kernel::identify({}, session.machine);
    const std::string emulated = kernel::fact(session.machine, "emulated");
    session.emulated = emulated == "yes" || emulated == "likely";
    auto evidence = read_evidence(patches_folder, session.machine);
    if (evidence)
        session.patches = std::move(*evidence);
    else
        session.no_evidence = evidence.error().what;
    return session;
}

Result<void> check_same_kernel(const model::Measurement& earlier,
                               const model::MeasuredSession& session, const std::string& file) {
    for (const model::MeasuredSession& before : earlier.sessions) {
        const std::string how = difference(before.kernel, session.kernel);
        if (how.empty()) continue;
        return fail(fmt::format("cannot add to {}: it is of another kernel than this one: {}",
                                escape_for_terminal(file), escape_for_terminal(how)),
                    "-o another FILE, one for each kernel", ExitCode::kUsage);
    }
    return {};
}

}  // namespace kcost
