"""Workloads do what they count: the kernel's own figures, or the other side's, agree with their units."""
import json
import os
import signal
import subprocess
import tempfile

import native
from native import Skip, check, finish, kcost, our_programs, record, same, start, wait_until

TWO_TICKS = ["--ticks", "2", "--warm-up", "0", "--yes", "--format", "json"]


def bench(name, *options):
    result = json.loads(kcost("bench", name, *TWO_TICKS, *options).expect(0).out)
    same("ticks", len(result["ticks"]), 2)
    for tick in result["ticks"]:
        check(0.9e9 < tick["elapsed_ns"] < 5e9, f"a tick took {tick['elapsed_ns']} ns")
        check(all(units > 0 for units in tick["units"].values()), f"nothing was done: {tick}")
    rates = [sum(t["units"].values()) * 1e9 / t["elapsed_ns"] for t in result["ticks"]]
    mean = sum(rates) / 2
    check(abs(result["rate"]["mean_per_s"] - mean) < 1e-6 * mean, f"{result['rate']} of {rates}")
    sd = abs(rates[0] - rates[1]) / 2 ** 0.5
    check(abs(result["rate"]["sd_per_s"] - sd) <= 1e-6 * mean, f"{result['rate']} of {rates}")
    counted = sum(sum(t["units"].values()) for t in result["ticks"])
    check(result["proof"]["units"] >= counted, f"{counted} in ticks, but {result['proof']} in all")
    return result


def nearly(result, part):
    proof = result["proof"]
    native.near(f"{proof['what']} of {result['workload']}", proof["counted"], proof["units"], part)


def probed(*names):
    for name in names:
        result = bench(name)
        same(f"hits of {name}", result["proof"]["counted"], result["proof"]["units"])
        check(any("first instruction" in note for note in result["notes"]), result["notes"])


def test_bench_every_call_hits_its_uprobe():
    probed("uprobe-nop", "uprobe-push", "uprobe-ret", "uprobe-mixed")


def test_bench_every_call_hits_its_uretprobe():
    probed("uretprobe-nop", "uretprobe-push", "uretprobe-ret")


def test_bench_names_the_instruction_that_it_probes():
    words = {"x86_64": ("0x90", "0x55", "0xc3"), "aarch64": ("0xd503201f", "0xa9bf7bfd", "0xd65f03c0")}
    if os.uname().machine not in words:
        raise Skip("the instructions of this architecture are not known")
    for name, word in zip(("nop", "push", "ret"), words[os.uname().machine]):
        note = bench(f"uretprobe-{name}")["notes"][0]
        check(note.endswith(f"first instruction of kcost_bench_{name}: {word}"), note)


def test_bench_units_are_what_kcost_record_counts():
    target = f"{native.KCOST.resolve()}:kcost_bench_ret"
    report, ended = record([target], [str(native.KCOST), "bench", "uprobe-ret", *TWO_TICKS])
    units = json.loads(ended.out)["proof"]["units"]
    check(report["targets"][0]["entries"] > 0, f"the target: {report['targets'][0]}")
    same("calls of the probed function", report["targets"][0]["entries"], units)


def test_bench_each_page_written_is_a_fault():
    for threads in ("1", "2"):
        result = bench("wp-fault", "--footprint", "64M", "--threads", threads)
        same("footprint", result["footprint_bytes"], 64 << 20)
        nearly(result, 0.01)
        check(any("forks: " in note for note in result["notes"]), result["notes"])


def test_bench_each_byte_passed_is_a_switch():
    for name in ("switch-pingpong", "switch-pingpong-threads"):
        result = bench(name)
        same("CPUs of a pair", len(result["ticks"][0]["units"]), 1)
        same("members", result["members"], 2)
        nearly(result, 0.05)


def test_bench_messages_received_are_those_sent():
    for options in ([], ["--pipes"]):
        result = bench("messaging", *options)
        same("members", result["members"], 40)
        same("messages received", result["proof"]["units"], result["proof"]["counted"])


def test_bench_prints_the_rate_and_what_its_spread_is():
    ended = kcost("bench", "switch-pingpong", "--ticks", "2", "--warm-up", "0", "--yes").expect(0)
    ended.says("M/s switches", "±", "sample standard deviation of 2 ticks", "cpu ")


def children(pid):
    found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False)
    return found.stdout.split()


def test_bench_interrupted_prints_its_finished_ticks():
    process = start("bench", "switch-pingpong", "--ticks", "60", "--warm-up", "0", "--yes", "--format", "json")
    try:
        process.wait(timeout=6)  # enough for a tick, and not for all
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGINT)
    result = json.loads(finish(process).expect(130).out)
    check(1 <= len(result["ticks"]) < 60, f"{len(result['ticks'])} ticks")
    same("asked for", result["asked_ticks"], 60)


def test_bench_killed_leaves_nobody_behind():
    before = our_programs()
    process = start("bench", "uprobe-nop", "--ticks", "60", "--yes")
    wait_until("its program appears", lambda: our_programs() - before)
    workers = children(process.pid)
    check(workers, "it has no process that works")
    process.send_signal(signal.SIGKILL)
    finish(process)
    for worker in workers:
        wait_until(f"its process {worker} is gone", lambda w=worker: not os.path.exists(f"/proc/{w}"))
    wait_until("its program is gone", lambda: not our_programs() - before)


def test_bench_whose_workload_is_killed_says_so():
    process = start("bench", "wp-fault", "--ticks", "60", "--footprint", "16M", "--yes")
    wait_until("it has a process that works", lambda: children(process.pid))
    for worker in children(process.pid):
        os.kill(int(worker), signal.SIGKILL)
    finish(process).expect(1).says("wp-fault was killed", "dmesg")


def drop_rights():
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)


def test_bench_without_rights():
    if os.geteuid() != 0:
        raise Skip("this test drops root's rights and has none")
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        copy = f"{folder}/kcost"
        subprocess.run(["cp", str(native.KCOST), copy], check=True)
        os.chmod(copy, 0o755)
        for name, status in (("uprobe-nop", 3), ("switch-pingpong", 0)):
            ran = subprocess.run([copy, "bench", name, "--ticks", "1", "--warm-up", "0", "--yes"], timeout=60,
                                 capture_output=True, text=True, preexec_fn=drop_rights, check=False)
            ended = native.Ended(ran.returncode, ran.stdout, ran.stderr).expect(status)
            if status:
                ended.says("not root", "sudo")


def test_bench_on_a_busy_machine_asks():
    load, cpus = os.getloadavg()[0], os.cpu_count()
    if load < 0.2 * cpus:
        raise Skip(f"the load is {load:.2f} on {cpus} CPUs")
    kcost("bench", "switch-pingpong", "--ticks", "1").expect(3).says("its load is", "--yes")
