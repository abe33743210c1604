// Measurement to JSON: one line a workload, session, repetition or failure. Repetitions lie beside
// sessions and name theirs, so that each is read and dropped by itself.
#include "store/finding_json.h"
#include "store/json_writer.h"
#include "store/measurement_file.h"
#include "store/target_json.h"

namespace kcost {
namespace {

using Json = OrderedJson;

Json metric(const model::Metric& metric) {
    return {{"name", text_to_json(metric.name)},
            {"unit", text_to_json(metric.unit)},
            {"higher_is_better", metric.higher_is_better},
            {"source", text_to_json(metric.source)}};
}

Json workload(const model::MeasuredWorkload& workload) {
    return {{"name", text_to_json(workload.name)},
            {"command", list_to_json(workload.command, text_to_json)},
            {"settings", list_to_json(workload.settings, fact_to_json)},
            {"control", workload.control},
            {"unit", text_to_json(workload.unit)},
            {"metrics", list_to_json(workload.metrics, metric)}};
}

Json noise(const model::Noise& noise) {
    return {{"kind", text_to_json(noise.kind)},
            {"amount", noise.amount},
            {"says", text_to_json(noise.says)}};
}

Json tick(const model::Tick& tick) { return {{"ns", tick.elapsed_ns}, {"units", tick.units}}; }

Json proof(const model::Proof& proof) {
    return {{"what", text_to_json(proof.what)}, {"counted", proof.counted}, {"units", proof.units}};
}

Json target_samples(const model::TargetSamples& samples) {
    return {{"target", text_to_json(samples.target)}, {"samples", samples.samples}};
}

Json sampled(const std::optional<model::Sampled>& sampled) {
    if (!sampled) return nullptr;
    return {{"event", text_to_json(sampled->event)},
            {"cpus", sampled->cpus},
            {"samples", sampled->samples},
            {"kernel_samples", sampled->kernel_samples},
            {"lost", number_or_null(sampled->lost)},
            {"masked_is_late", sampled->masked_is_late},
            {"in_targets", list_to_json(sampled->in_targets, target_samples)}};
}

Json repetition(std::size_t session, const model::Repetition& it) {
    return {{"session", session},
            {"workload", it.workload},
            {"mode", to_string(it.mode)},
            {"block", it.block},
            {"order", it.order},
            {"began_ns", it.began_ns},
            {"took_ns", it.took_ns},
            {"values", it.values},
            {"ticks", list_to_json(it.ticks, tick)},
            {"proof", proof(it.proof)},
            {"notes", list_to_json(it.notes, text_to_json)},
            {"noise", list_to_json(it.noise, noise)},
            {"kernel_instructions", number_or_null(it.kernel_instructions)},
            {"operations", it.operations},
            {"window_ns", it.window_ns},
            {"targets", list_to_json(it.targets, target_to_json)},
            {"gaps", list_to_json(it.gaps, gap_to_json)},
            {"sampled", sampled(it.sampled)}};
}

Json failure(const model::Failure& it) {
    return {{"workload", it.workload},
            {"mode", to_string(it.mode)},
            {"order", it.order},
            {"cause", text_to_json(it.cause)},
            {"remedy", text_to_json(it.remedy)}};
}

Json kernel(const model::KernelIdentity& kernel) {
    return {{"release", text_to_json(kernel.release)},
            {"version", text_to_json(kernel.version)},
            {"build_id", text_to_json(kernel.build_id)},
            {"text_layout", text_to_json(kernel.text_layout)}};
}

Json session(const model::MeasuredSession& it) {
    return {{"boot_id", text_to_json(it.boot_id)},
            {"started_at", text_to_json(it.started_at)},
            {"started_ns", it.started_ns},
            {"seed", it.seed},
            {"kcost_version", text_to_json(it.kcost_version)},
            {"machine", list_to_json(it.machine, fact_to_json)},
            {"kernel", kernel(it.kernel)},
            {"emulated", it.emulated},
            {"patches", list_to_json(it.patches, evidence_to_json)},
            {"no_evidence", text_to_json(it.no_evidence)},
            {"failures", list_to_json(it.failures, failure)},
            {"noise", list_to_json(it.noise, noise)},
            {"warnings", list_to_json(it.warnings, text_to_json)},
            {"ended", text_to_json(it.ended)},
            {"whole", it.whole}};
}

Json look(const model::Look& look) {
    return {{"at", text_to_json(look.at)},
            {"repetitions", look.repetitions},
            {"other_digest", text_to_json(look.other_digest)},
            {"other", text_to_json(look.other)}};
}

struct Placed {
    std::size_t session;
    const model::Repetition* repetition;
};

}  // namespace

std::string encode_measurement(const model::Measurement& measurement) {
    std::vector<Placed> repetitions;
    for (std::size_t i = 0; i < measurement.sessions.size(); i++) {
        for (const model::Repetition& it : measurement.sessions[i].repetitions)
            repetitions.push_back({i, &it});
    }
    JsonWriter out;
    out.member("format", kMeasurementFormat);
    out.member("version", kMeasurementVersion);
    out.member("patch", text_to_json(measurement.patch));
    out.members("targets", measurement.targets, text_to_json);
    out.members("workloads", measurement.workloads, workload);
    out.members("sessions", measurement.sessions, session);
    out.members("repetitions", repetitions,
                [](const Placed& it) { return repetition(it.session, *it.repetition); });
    out.members("looks", measurement.looks, look);
    return out.finish();
}

}  // namespace kcost
