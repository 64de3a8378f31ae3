"""What a child program does in tests: answers, sleeps, dies."""

import os
import signal
import time

import numpy as np


def fill(request, answer):
    answer.write(bytes(int(request)))
    np.zeros(int(request), dtype=np.uint8).tofile(answer)


def sleep(_, __):
    time.sleep(60)


def rest(seconds, answer):
    time.sleep(float(seconds))
    answer.write(b"rested")


def spin(_, __):
    while True:
        pass


def say_niceness(_, answer):
    answer.write(str(os.nice(0)).encode())


def say_pid(_, answer):
    answer.write(str(os.getpid()).encode())


def say_who(file, _):
    with open(file, "w") as stream:
        stream.write(str(os.getpid()))
    time.sleep(60)


def end(_, __):
    os.kill(os.getpid(), signal.SIGKILL)
