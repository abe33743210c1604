// Recording to JSON: one line a target, payer or fact.
#include "store/json_writer.h"
#include "store/recording_file.h"
#include "store/recording_format.h"
#include "store/target_json.h"

namespace kcost {
namespace {

using Json = OrderedJson;

Json payer(const model::Payer& payer) {
    return {{"target", payer.target}, {"tgid", payer.tgid},   {"comm", text_to_json(payer.comm)},
            {"frames", payer.frames}, {"spans", payer.spans}, {"total_ns", payer.total_ns}};
}

}  // namespace

std::string encode_recording(const model::Recording& recording) {
    JsonWriter out;
    out.member("format", kRecordingFormat);
    out.member("version", kRecordingVersion);
    out.member("kcost_version", text_to_json(recording.kcost_version));
    out.member("command_line", text_to_json(recording.command_line));
    out.member("started_at", text_to_json(recording.started_at));
    out.member("window_ns", recording.window_ns);
    out.member("cpus", recording.cpus);
    out.member("payers_one_in", recording.payers_one_in);
    out.member("whole", recording.whole);
    out.members("machine", recording.machine, fact_to_json);
    out.members("gaps", recording.gaps, gap_to_json);
    out.members("warnings", recording.warnings, text_to_json);
    out.members("targets", recording.targets, target_to_json);
    out.members("frame_names", recording.frame_names, text_to_json);
    out.members("payers", recording.payers, payer);
    return out.finish();
}

}  // namespace kcost
