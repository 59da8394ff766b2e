"""Where tables of figures are kept: test/bench/results/*.md, a section for each command, which says what made it.

The tools beside this file write there with --write. A section that is written again is replaced; everything else in its file stays as it is.
"""
import contextlib
import datetime
import io
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
FOLDER = os.path.join(HERE, "results")


def output(*command):
    try:
        return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def machine():
    wanted = ["Model name", "CPU(s)", "L1d cache", "L2 cache", "L3 cache"]
    found = dict(line.split(":", 1) for line in output("lscpu").splitlines() if ":" in line)
    return ", ".join(f"{name} {found[name].strip()}" for name in wanted if name in found) or "unknown"


def commit():
    changed = output("git", "status", "--porcelain", "--untracked-files=no", "native", "cuda", "test/bench", "test/gpu")
    return (output("git", "rev-parse", "--short", "HEAD") or "unknown") + ("+changes" if changed else "")


def command_line():
    """This run's own command, without --write, as a reader would type it."""
    words = [os.path.relpath(os.path.abspath(sys.argv[0]), ROOT)]
    for before, word in zip(sys.argv, sys.argv[1:]):
        if not word.startswith("--write") and (before != "--write" or word.startswith("-")):
            words.append(word)
    return "python3 " + " ".join(words)


def section_of(text, heading):
    """(start, end) of a section's body in a file's text, or None where it has no such section."""
    found = re.search(rf"^## {re.escape(heading)}\n", text, re.M)
    if not found:
        return None
    after = re.search(r"^## ", text[found.end():], re.M)
    return found.end(), found.end() + after.start() if after else len(text)


def with_section(text, heading, body):
    """The text with this section's body in place of the one that it had, or with the section at its end."""
    place = section_of(text, heading)
    body = f"\n{body.strip()}\n"
    if place is None:
        return f"{text.rstrip()}\n\n## {heading}\n{body}"
    rest = text[place[1]:]
    return text[:place[0]] + body + ("\n" + rest if rest else "")


def read(path, title):
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            return file.read()
    return f"# {title}\n"


def save(path, text):
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    with open(path + ".new", "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(path + ".new", path)
    print(f"wrote {os.path.relpath(path, ROOT)}", file=sys.stderr)


def put(name, title, heading, body, on=None):
    """Writes one section of test/bench/results/`name`: what made it, where, of which commit, when, and its tables."""
    path = os.path.join(FOLDER, name)
    head = f"`{command_line()}`; {on or machine()}; commit {commit()}; {datetime.date.today().isoformat()}."
    save(path, with_section(read(path, title), heading, f"{head}\n\n{body}"))


@contextlib.contextmanager
def recorded(wanted, name, title, heading, fenced=False, on=None):
    """What is printed inside is also written as that section, where that is wanted and no exception ends it."""
    if not wanted:
        yield
        return
    shown, kept = sys.stdout, io.StringIO()

    class Both:
        def write(self, text):
            kept.write(text)
            return shown.write(text)

        def flush(self):
            shown.flush()

    with contextlib.redirect_stdout(Both()):
        yield
    body = kept.getvalue().strip()
    put(name, title, heading, f"```\n{body}\n```" if fenced else body, on)
