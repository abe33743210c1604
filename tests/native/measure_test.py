"""kcost measure keeps every raw value, counts what the workload did, and keeps what is finished whatever ends it."""
import json
import os
import signal
import subprocess
import tempfile
from pathlib import Path

import native
from native import Skip, check, finish, kcost, same, start, wait_until

QUICK = ["--ticks", "1", "--warm-up", "0", "--yes"]
HITS = f"{native.KCOST.resolve()}:kcost_bench_ret"


def measure(folder, *options, status=0, name="m.kcost"):
    path = Path(folder) / name
    ended = kcost("measure", "-o", str(path), *options, timeout=300)
    ended.expect(status)
    return json.loads(path.read_text()), ended


def of_mode(measurement, mode, workload=0):
    return [r for r in measurement["repetitions"] if r["mode"] == mode and r["workload"] == workload]


def entries(repetition):
    return sum(site["figures"]["entries"] for site in repetition["targets"][0]["sites"])


def test_measure_each_hit_is_counted_once():
    with tempfile.TemporaryDirectory() as folder:
        result, _ = measure(folder, "-w", "uprobe-ret", "--control", "uprobe-push", "-t", HITS, "-n", "2", *QUICK)
    same("repetitions", len(result["repetitions"]), 12)
    for workload, per_hit in ((0, 1), (1, 0)):
        for probed in of_mode(result, "probed", workload):
            check(probed["operations"] > 0, f"no operations: {probed}")
            same("calls", entries(probed), per_hit * probed["operations"])
            same("hits of its own probe", probed["proof"]["counted"], probed["operations"])
        for bare in of_mode(result, "bare", workload):
            same("targets of a bare repetition", bare["targets"], [])
            units = sum(sum(tick["units"]) for tick in bare["ticks"])
            rate = units * 1e9 / sum(tick["ns"] for tick in bare["ticks"])
            native.near("the rate of its ticks", bare["values"][0], rate, 1e-9)
        for sampled in of_mode(result, "sampled", workload):
            check(sampled["sampled"]["samples"] > 0, f"no samples: {sampled['sampled']}")
            same("targets that samples are told of", sampled["sampled"]["in_targets"], [])
    session = result["sessions"][0]
    same("its boot", session["boot_id"], Path("/proc/sys/kernel/random/boot_id").read_text().strip())
    check(session["whole"] and session["ended"] == "all repetitions done", session["ended"])


def order(measurement):
    return [(r["workload"], r["mode"], r["block"]) for r in measurement["repetitions"]]


def test_measure_the_order_is_the_seeds_and_random_within_blocks():
    orders = []
    with tempfile.TemporaryDirectory() as folder:
        for name, seed in (("a", "7"), ("b", "7"), ("c", "8")):
            options = ("-w", "uprobe-ret", "--control", "uprobe-push", "-t", HITS, "-n", "2", "--seed", seed, *QUICK)
            orders.append(order(measure(folder, *options, name=name)[0]))
    same("the order of the same seed", orders[0], orders[1])
    check(orders[0] != orders[2], f"another seed has the same order: {orders[0]}")
    for block in (0, 1):
        same(f"kinds in block {block}", len({o[:2] for o in orders[0][6 * block:6 * block + 6]}), 6)


def test_measure_without_targets_is_bare():
    with tempfile.TemporaryDirectory() as folder:
        result, ended = measure(folder, "-w", "switch-pingpong", "-n", "2", *QUICK)
        same("modes", {r["mode"] for r in result["repetitions"]}, {"bare"})
        ended.says("sd of 2 repetitions", "1 boot in 1 session")
        again, _ = measure(folder, "-w", "switch-pingpong", "-n", "1", *QUICK)
    same("sessions", len(again["sessions"]), 2)
    same("what was there stays", again["repetitions"][:2], result["repetitions"])


def test_measure_counts_a_commands_operations():
    program = native.program("call-count")
    with tempfile.TemporaryDirectory() as folder:
        options = ("-t", native.function("counted_function"), "-n", "1", "--operations", "23", "--yes")
        result, _ = measure(folder, *options, "--", program, "counted", "23")
    probed = of_mode(result, "probed")[0]
    same("operations", probed["operations"], 23)
    same("calls", entries(probed), 23)


def started(folder, *options):
    process = start("measure", "-o", f"{folder}/m.kcost", *options)
    path = Path(folder) / "m.kcost"
    wait_until("two repetitions are in its file",
               lambda: path.exists() and len(json.loads(path.read_text())["repetitions"]) >= 2)
    return process, path


def test_measure_killed_keeps_what_is_finished():
    with tempfile.TemporaryDirectory() as folder:
        process, path = started(folder, "-w", "switch-pingpong", "-n", "60", *QUICK)
        process.send_signal(signal.SIGKILL)
        finish(process)
        result = json.loads(path.read_text())
    check(2 <= len(result["repetitions"]) < 60, f"{len(result['repetitions'])} repetitions")
    same("how it ended", (result["sessions"][0]["ended"], result["sessions"][0]["whole"]), ("", False))


def test_measure_interrupted_keeps_what_is_finished():
    with tempfile.TemporaryDirectory() as folder:
        process, path = started(folder, "-w", "switch-pingpong", "-n", "60", *QUICK)
        process.send_signal(signal.SIGINT)
        finish(process).expect(130).says("interrupted; ", "finished repetitions are in", "sd of")
        session = json.loads(path.read_text())["sessions"][0]
    same("how it ended", (session["ended"], session["whole"], session["failures"]), ("interrupted", False, []))


def test_measure_a_failure_is_in_the_file():
    script = "echo x >> n; [ $(wc -l < n) -lt 7 ] || exit 3"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "m.kcost"
        kcost("measure", "-n", "9", "--yes", "-o", str(path), "--", "sh", "-c", script, cwd=folder).expect(1)
        result = json.loads(path.read_text())
    same("finished", len(result["repetitions"]), 6)
    failure = result["sessions"][0]["failures"][0]
    same("the failure", (failure["order"], failure["mode"], failure["cause"]), (6, "bare", "sh ended with status 3"))


def test_measure_on_a_full_disk_keeps_what_is_written():
    if os.geteuid() != 0:
        raise Skip("only root can mount a small disk")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", folder], check=True)
        try:
            path = Path(folder) / "m.kcost"
            ended = kcost("measure", "-n", "2000", "--yes", "-o", str(path), "--", "true").expect(1)
            ended.says("No space left on device", "repetitions before are in it", "make room")
            kept = len(json.loads(path.read_text())["repetitions"])
        finally:
            subprocess.run(["umount", folder], check=True)
    check(kept > 10, f"{kept} repetitions were kept")


def test_measure_on_a_busy_machine_asks():
    load, cpus = os.getloadavg()[0], os.cpu_count()
    if load < 0.2 * cpus:
        raise Skip(f"the load is {load:.2f} on {cpus} CPUs")
    with tempfile.TemporaryDirectory() as folder:
        kcost("measure", "-n", "1", "-o", f"{folder}/m.kcost", "--", "true").expect(3).says("its load is", "--yes")
