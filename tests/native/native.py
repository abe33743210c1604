"""Runs kcost on this machine's own kernel for the tests beside it. Linux with Python 3.9, no packages."""
import json
import os
import subprocess
import tempfile
import time
from pathlib import Path

KCOST = Path(os.environ.get("KCOST", "kcost"))
PROGRAMS = Path(os.environ.get("KCOST_PROGRAMS", "programs"))
BPFTOOL = next((p for p in ("/usr/sbin/bpftool", "/usr/local/sbin/bpftool") if os.access(p, os.X_OK)), None)


class Skip(Exception):
    """This machine cannot do it: the message says why."""


def check(condition, message):
    if not condition:
        raise AssertionError(message)


def same(what, value, wanted):
    check(value == wanted, f"{what} is {value!r}, not {wanted!r}")


def near(what, value, wanted, part):
    check(abs(value - wanted) <= part * wanted, f"{what} is {value}, not {wanted} within {part:.0%}")


def program(name):
    return str(PROGRAMS / name)


def function(name):
    """TARGET for a function of call-count or sleepers."""
    return f"{program('sleepers' if name == 'sleeping_function' else 'call-count')}:{name}"


class Ended:
    """A kcost that has ended: status, and what it printed (text: both streams)."""

    def __init__(self, status, out, err):
        self.status, self.out, self.err, self.text = status, out, err, out + err

    def expect(self, status):
        same(f"the exit status (it printed: {self.text.strip()})", self.status, status)
        return self

    def refused(self, *words):
        check(self.status in (1, 2, 3), f"ended with {self.status}: {self.text}")
        return self.says(*words)

    def says(self, *words):
        for word in words:
            check(word.lower() in self.text.lower(), f"no \"{word}\" in: {self.text.strip()}")
        return self


def kcost(*arguments, timeout=120, **how):
    ran = subprocess.run([str(KCOST), *arguments], capture_output=True, text=True, timeout=timeout,
                         stdin=subprocess.DEVNULL, **how)
    return Ended(ran.returncode, ran.stdout, ran.stderr)


def start(*arguments, **how):
    return subprocess.Popen([str(KCOST), *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, **how)


def finish(process, timeout=60):
    out, err = process.communicate(timeout=timeout)
    return Ended(process.returncode, out, err)


def read_report(path):
    return json.loads(kcost("report", str(path), "--format", "json").expect(0).out)


def record(targets, command, status=0, **how):
    """Records COMMAND; gives the report and what kcost printed."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "r.kcost"
        chosen = [word for target in targets for word in ("-t", target)]
        ended = kcost("record", *chosen, "-o", str(path), "--", *command, **how).expect(status)
        return read_report(path), ended


def figures(line_source):
    """The key=value lines that a test program printed."""
    pairs = (line.split("=", 1) for line in line_source.splitlines() if "=" in line)
    return {key: int(value) for key, value in pairs if value.isdigit()}


def our_programs():
    """BPF programs of kcost in the kernel, by id."""
    if not BPFTOOL:
        raise Skip("bpftool is not installed")
    shown = subprocess.run([BPFTOOL, "-j", "prog", "show"], capture_output=True, text=True, check=True)
    return {p["id"] for p in json.loads(shown.stdout) if p.get("name", "").startswith("kc_")}


def wait_until(what, condition, seconds=30):
    deadline = time.monotonic() + seconds
    while not condition():
        check(time.monotonic() < deadline, f"{what}: not within {seconds} s")
        time.sleep(0.02)
