"""However kcost is stopped, what was measured is whole or plainly said, and nothing stays in the kernel."""
import re
import signal
import tempfile
import time
from pathlib import Path

from native import (check, figures, finish, function, kcost, our_programs, program, read_report, record, same,
                    start, wait_until)

COUNTED = function("counted_function")


def test_stopped_for_15_s():
    # COMMAND stops its own parent, kcost, so that each call is known to lie before, in or after the gap.
    script = '"$0" counted 1000; kill -STOP $PPID; sleep 13; "$0" counted 5000; sleep 2; kill -CONT $PPID; ' \
             'sleep 3; "$0" counted 700'
    report, ended = record([COUNTED], ["sh", "-c", script, program("call-count")])
    same("calls", report["targets"][0]["calls"], 1700)
    gaps = report["gaps"]
    same("gaps", len(gaps), 1)
    check(3.5e9 <= gaps[0]["end_ns"] - gaps[0]["start_ns"] <= 8e9, f"the gap is {gaps[0]}")
    check(any("stopped" in note for note in report["notes"]), f"no gap in the notes {report['notes']}")
    check(figures(ended.out), "COMMAND printed nothing")


def interrupted_by(name):
    script = f'"$0" counted 23; kill -{name} $PPID; exec sleep 30'
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "r.kcost"
        began = time.monotonic()
        ended = kcost("record", "-t", COUNTED, "-o", str(path), "--", "sh", "-c", script, program("call-count"))
        check(time.monotonic() - began < 20, "kcost waited for COMMAND after it was interrupted")
        report = read_report(path)
        same("files left", sorted(p.name for p in Path(folder).iterdir()), ["r.kcost"])
    same("calls", report["targets"][0]["calls"], 23)
    return ended


def test_sigint_leaves_a_whole_file():
    interrupted_by("INT").expect(130)


def test_sigterm_leaves_a_whole_file():
    ended = interrupted_by("TERM")
    check(ended.status in (130, 143), f"ended with {ended.status}: {ended.text}")


def test_an_interval_of_top_outlasts_the_end_of_a_child():
    # As of the one that tries breakpoints out.
    before = our_programs()
    process = start("top", "-b", "-n", "1", "-d", "2", "-t", COUNTED)
    wait_until("programs of kcost appear", lambda: our_programs() - before)
    for _ in range(20):
        process.send_signal(signal.SIGCHLD)
        time.sleep(0.05)
    ended = finish(process).expect(0)
    counted = re.search(r"^([0-9.]+) (\w+) counted", ended.out, re.MULTILINE)
    check(counted and counted[2] == "s" and float(counted[1]) >= 2, f"no interval of 2 s in: {ended.out}")


def test_sigkill_leaves_no_probe():
    before = our_programs()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "r.kcost"
        process = start("record", "-t", COUNTED, "-o", str(path), "-d", "60")
        wait_until("programs of kcost appear", lambda: our_programs() - before)
        process.send_signal(signal.SIGKILL)
        finish(process)
        wait_until("programs of kcost are gone", lambda: not our_programs() - before, 5)
        if path.exists():
            kcost("report", str(path)).expect(0)


def test_nothing_stays_after_an_ordinary_end():
    before = our_programs()
    record([COUNTED], [program("call-count"), "counted", "1"])
    wait_until("programs of kcost are gone", lambda: not our_programs() - before, 5)
