"""Calls are exact, and totals and selves are what the program itself measured."""
import os
import subprocess
import tempfile

from native import check, figures, function, kcost, near, program, record, same


def test_calls_of_a_function_called_23_times():
    report, _ = record([function("counted_function")], [program("call-count"), "counted", "23"])
    target = report["targets"][0]
    same("calls", target["calls"], 23)
    same("mechanism", target["mechanism"], "user")
    same("lost", target["lost"], 0)
    same("sites", len(target["sites"]), 1)
    check(target["sites"][0]["reason"], "the site has no reason for its mechanism")


def test_totals_and_selves_of_nested_functions():
    report, ended = record([function("outer_function"), function("inner_function")],
                           [program("call-count"), "nested", "100"])
    outer, inner = report["targets"]
    itself = figures(ended.out)
    same("calls of the outer function", outer["calls"], 100)
    same("calls of the inner function", inner["calls"], 300)
    # The program's own clock runs inside of the probes: they see a little more, on a busy machine more than that.
    for what, target in (("outer", outer), ("inner", inner)):
        more = target["total_ns"] / itself[f"{what}_total_ns"]
        check(1 <= more <= 1.2, f"total of the {what} function is {more:.3f} times what the program measured")
    check(outer["total_ns"] >= inner["total_ns"], "the outer function took less than the inner one")
    near("self of the outer function", outer["self_ns"], outer["total_ns"] - inner["total_ns"], 0.02)
    same("self of the inner function", inner["self_ns"], inner["total_ns"])


def recursion(depth):
    report, ended = record([function("recursive_function")],
                           [program("call-count"), "recursive", "10", str(depth)])
    target = report["targets"][0]
    same("calls", target["calls"], 10 * depth)
    near("total", target["total_ns"], figures(ended.out)["recursive_total_ns"], 0.2)
    return target


def test_recursion_counts_every_call_and_its_time_once():
    same("lost", recursion(5)["lost"], 0)


def test_recursion_deeper_than_kcost_follows_is_in_the_ledger():
    target = recursion(20)
    same("entries", target["entries"],
         target["spans"] + target["rejected"] + target["in_flight"] + target["lost"])


def test_five_thousand_threads_asleep_in_the_function():
    report, ended = record([function("sleeping_function")], [program("sleepers"), "5000", "2"])
    target = report["targets"][0]
    same("what the program did", figures(ended.out)["sleeping_function"], 10000)
    same("entries", target["entries"], 10000)
    check(target["lost"] <= 50, f"lost {target['lost']} of 10000")
    check(not target["lost_unknown"], "the loss is unknown")
    same("spans and lost", target["spans"] + target["lost"], 10000)


def test_calls_still_open_at_the_end_are_in_flight():
    # COMMAND ends when all are asleep; they wake when we close the fifo, after the recording.
    script = '"$0" 200 1 stdin <"$1/fifo" >"$1/out" 2>&1 & until grep -q ready "$1/out"; do :; done'
    with tempfile.TemporaryDirectory() as folder:
        os.mkfifo(f"{folder}/fifo")
        fifo = os.open(f"{folder}/fifo", os.O_RDWR)
        report, _ = record([function("sleeping_function")], ["sh", "-c", script, program("sleepers"), folder])
        os.close(fifo)
    target = report["targets"][0]
    same("entries", target["entries"], 200)
    same("in flight", target["in_flight"], 200)
    same("lost", target["lost"], 0)


def test_target_given_twice_is_warned_of_and_measured_once():
    report, ended = record([function("counted_function")] * 2, [program("call-count"), "counted", "7"])
    same("targets", len(report["targets"]), 1)
    same("calls", report["targets"][0]["calls"], 7)
    ended.says("twice")


def test_filter_and_split_by_argument():
    name = function("recursive_function")
    command = [program("call-count"), "recursive", "10", "5"]
    report, _ = record([f"{name},when=arg0>=3"], command)
    same("calls with a depth of 3 or more", report["targets"][0]["calls"], 30)
    report, _ = record([f"{name},split=arg0"], command)
    rows = report["targets"][0]["sites"][0]["splits"]
    same("calls by depth", {row["value"]: row["calls"] for row in rows}, {n: 10 for n in range(1, 6)})


def test_function_within_another_is_counted_only_there():
    report, _ = record([f"{function('inner_function')},within=outer_function"],
                       [program("call-count"), "nested", "20"])
    same("calls", report["targets"][0]["calls"], 60)


def test_top_prints_a_table_each_time():
    with subprocess.Popen([program("sleepers"), "2", "1000000", "1"], stdout=subprocess.DEVNULL) as load:
        ended = kcost("top", "-b", "-n", "3", "-d", "1", "-t", function("sleeping_function"))
        load.kill()
    ended.expect(0)
    tables = [line for line in ended.out.splitlines() if line.startswith("target ")]
    same(f"tables in: {ended.out}", len(tables), 3)
    # A long name has its line to itself, and its figures the next one.
    rows = [line for line in ended.out.splitlines() if line.split()[:1] == [function("sleeping_function")]]
    same(f"rows in: {ended.out}", len(rows), 3)
    ended.says("user")


def test_longjmp_out_of_a_function_loses_that_call_only():
    target = f"{program('jumps-out')}:left_function"
    report, _ = record([target], [program("jumps-out"), "500"])
    measured = report["targets"][0]
    same("calls", measured["calls"], 501)
    same("spans", measured["spans"], 500)
    same("lost", measured["lost"], 1)
    # Each of the 500 spins for 20 us; the frame that was left must not take their time for recursion.
    check(measured["total_ns"] >= 500 * 20000, f"total of only {measured['total_ns']} ns")


def test_calls_that_the_result_filter_rejects_balance():
    report, _ = record([function("counted_function") + ",when=return==12345678901"],
                       [program("call-count"), "counted", "100"])
    measured = report["targets"][0]
    same("calls", measured["calls"], 0)
    same("rejected", measured["rejected"], 100)
    check(not any("balance" in note for note in report["notes"]), f"notes: {report['notes']}")


def test_program_that_throws_is_counted_and_lives():
    target = f"{program('throws')}:throwing_function"
    report, ended = record([target], [program("throws"), "50"])
    measured = report["targets"][0]
    same("calls", measured["calls"], 50)
    check("caught=50" in ended.out, f"the program did not end well: {ended.out}")
    check("exceptions" in measured["sites"][0]["counted_reason"], measured["sites"][0]["counted_reason"])
