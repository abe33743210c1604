"""What kcost cannot do it says clearly, with the right exit status, before it measures."""
import json
import os
import resource
import shutil
import subprocess
import tempfile
from pathlib import Path

import native
from native import Skip, check, function, kcost, program, record, same

COUNTED = function("counted_function")
COMMAND = [program("call-count"), "counted", "23"]


def refuse(target, *words):
    with tempfile.TemporaryDirectory() as folder:
        path, ran = Path(folder) / "r.kcost", Path(folder) / "ran"
        kcost("record", "-t", target, "-o", str(path), "--", "touch", str(ran)).refused(*words)
        check(not ran.exists(), "COMMAND was run though nothing could be measured")
        check(not path.exists(), "a file was written though nothing was measured")


def test_unknown_function_of_a_program():
    refuse(f"{program('call-count')}:no_such_function_at_all", "no_such_function_at_all")


def test_misspelt_function_of_a_program():
    refuse(f"{program('call-count')}:counted_functoin", "counted_functoin", "counted_function")


def test_program_that_is_not_there():
    refuse("/no/such/program:main", "/no/such/program")


def test_pipe_in_place_of_a_program():
    with tempfile.TemporaryDirectory() as folder:
        os.mkfifo(Path(folder) / "pipe")
        refuse(f"{folder}/pipe:main", "not a program")


def test_fifth_target_on_one_function():
    targets = [COUNTED + f",when=arg0>={n}" for n in range(1, 6)]
    report, _ = record(targets, COMMAND)
    same("measured", sum(len(t["sites"]) for t in report["targets"]), 4)
    check("more than 4" in report["targets"][4]["skipped"][0]["reason"], report["targets"][4]["skipped"])


def test_unknown_kernel_function():
    refuse("no_such_function_at_all", "no_such_function_at_all")


def test_misspelt_kernel_function():
    refuse("schedule_timeuot", "schedule_timeuot", "schedule_timeout")


def test_patches_of_another_architecture():
    if os.uname().machine == "aarch64":
        raise Skip("this machine's kernel is one of those that patches are known for")
    same("exit status", kcost("patches").refused("arm64", os.uname().machine).status, 3)


def test_denied_kernel_function():
    refuse("asm_exc_int3" if os.uname().machine == "x86_64" else "el0_svc", "cannot")


def test_setting_that_makes_no_sense():
    refuse(f"{COUNTED},when=arg0=!7", "when")
    refuse(f"{COUNTED},colour=red", "colour")


def test_ulimit_of_256_files():
    def few():
        resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))

    report, _ = record([COUNTED], COMMAND, preexec_fn=few)
    same("calls", report["targets"][0]["calls"], 23)


def test_not_root():
    if os.geteuid() != 0:
        raise Skip("this test drops root's rights and has none")

    def drop():
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)

    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o777)
        copy = shutil.copy2(str(native.KCOST), folder)
        os.chmod(copy, 0o755)
        # Programs in a folder that nobody may not search would be another error.
        shutil.copy2(program("call-count"), folder)
        ran = subprocess.run([copy, "record", "-t", f"{folder}/call-count:counted_function", "-o",
                              f"{folder}/r.kcost", "--", "true"], capture_output=True, text=True,
                             preexec_fn=drop, timeout=60, check=False)
        native.Ended(ran.returncode, ran.stdout, ran.stderr).expect(3).says("sudo")


def test_output_that_cannot_be_written():
    with tempfile.TemporaryDirectory() as folder:
        ran = Path(folder) / "ran"
        for path in ("/no/such/folder/r.kcost", folder):
            kcost("record", "-t", COUNTED, "-o", path, "--", "touch", str(ran)).expect(1).says(path)
            check(not ran.exists(), f"COMMAND was run before {path} was found unwritable")


def test_command_that_does_not_exist():
    with tempfile.TemporaryDirectory() as folder:
        kcost("record", "-t", COUNTED, "-o", f"{folder}/r.kcost", "--", "/no/such/command").refused(
            "/no/such/command")


def test_status_of_command_is_shown():
    _, ended = record([COUNTED], ["sh", "-c", "exit 7"])
    ended.says("status 7")


def test_command_killed_by_a_signal_is_shown():
    _, ended = record([COUNTED], ["sh", "-c", "kill -KILL $$"])
    check("signal" in ended.text or "137" in ended.text, f"neither a signal nor 137 in: {ended.text}")


def test_bad_usage_ends_with_2():
    for line in ("", "no-such-command", "record --no-such-option", "record -d never", "record -d -1", "report",
                 "report a b", "report --format no-such-format x.kcost", "report --weight pounds x.kcost",
                 "top -n none", "list --format no-such-format", "doctor something"):
        ended = kcost(*line.split())
        same(f"the exit status of kcost {line} (it printed: {ended.text.strip()})", ended.status, 2)


def test_doctor_tells_in_json():
    ended = kcost("doctor", "--json")
    check(ended.status in (0, 3), f"ended with {ended.status}: {ended.text}")
    check(json.loads(ended.out), "an empty answer")


def test_list_tells_how_each_hot_path_would_be_measured():
    ended = kcost("list", "--format", "json")
    check(ended.status in (0, 3), f"ended with {ended.status}: {ended.text}")
    names = json.dumps(json.loads(ended.out))
    for name in ("icache-flush", "flush_tlb_page", "context-switch", "uretprobe-alloc"):
        check(f'"{name}"' in names, f"no {name} in {names}")
