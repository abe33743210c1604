// A workload's members, threads or processes, each pinned to its CPU.
#pragma once

#include <sys/types.h>

#include <functional>

#include "base/result.h"
#include "workload/job.h"

namespace kcost::workload {

/// By a child: from now on it is killed when its parent ends, so that nothing is left behind.
void end_with(pid_t parent);

/// What a member does: sets itself up, arrives, and works until the job is stopped. Where one fails
/// the job is stopped.
using Member = std::function<Result<void>(unsigned member)>;

Result<void> run_threads(Job& job, const Member& member);

/// `forked` runs once all are there, to close what only they need. Members that are left when one
/// has failed are killed.
Result<void> run_processes(Job& job, const Member& member, const std::function<void()>& forked);

}  // namespace kcost::workload
