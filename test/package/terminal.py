# Runs a command on a terminal, answers its questions, and prints each line of it with the seconds since its start.
#   terminal.py NAME UNTIL QUESTION=ANSWER... -- COMMAND...     UNTIL: a pattern; the command is ended where a line has it
import os
import pty
import re
import select
import signal
import sys
import time

name, until = sys.argv[1:3]
end = sys.argv.index('--')
answers = [pair.split('=', 1) for pair in sys.argv[3:end]]
began = time.monotonic()

pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[end + 1], sys.argv[end + 1:])


def say(text):
    print(f'{name}: {time.monotonic() - began:5.0f} s  {text}', flush=True)


def plain(text):
    return re.sub(r'\x1b\[[0-9;?]*[A-Za-z]', '', text)


def stop():
    # The namespace's first process: all others end with it.
    with open(f'/proc/{pid}/task/{pid}/children') as children:
        for child in children.read().split():
            os.kill(int(child), signal.SIGKILL)


# A line that is written anew is printed once for each step: the same but for its figures.
last, rest, stopped = '', '', False
while True:
    try:
        got = os.read(terminal, 65536) if select.select([terminal], [], [], 600)[0] else b''
    except OSError:
        break
    if not got:
        break
    *lines, rest = re.split(r'[\r\n]+', rest + got.decode(errors='replace'))
    for line in map(plain, lines + [rest]):
        step = re.sub(r'\d+', '', line)[:50]
        if line.strip() in ('', '\\', '|', '/', '-') or step == last or (line == plain(rest) and not (until and re.search(until, line))):
            continue
        last = step
        say(line)
        if until and re.search(until, line) and not stopped:
            stop()
            stopped = True
    for question, answer in answers:
        if re.search(question, plain(rest)):
            say(f'{plain(rest)}{answer}')
            os.write(terminal, f'{answer}\n'.encode())
            answers.remove([question, answer])
            rest = ''
            break
code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
say('stopped here' if stopped else f'ended with code {code}')
