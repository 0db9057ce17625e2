import socket
import threading
import time

import pytest

from hotloop.host import process
from hotloop.host.process import MAX_MESSAGE_BYTES, Child, ChildDiedError, ChildSilentError, receive, send

CHILD = """
import socket, sys, time
channel = socket.socket(fileno=int(sys.argv[1]))
print("said on standard output", flush=True)
{body}
"""


@pytest.fixture
def pair():
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield ours, theirs


@pytest.fixture
def child(tmp_path):
    """Return a function that starts a child which runs a few lines."""
    made = []

    def start(body):
        (tmp_path / "small_child.py").write_text(CHILD.format(body=body))
        made.append(Child("small_child", {"PYTHONPATH": str(tmp_path), "PATH": "/usr/bin:/bin"}))
        return made[-1]

    yield start
    for one in made:
        one.kill()


@pytest.mark.parametrize("message", [{}, {"a": [1, 2.5, None, "ü"]}, {"long": "x" * 3_000_000}])
def test_messages_arrive_as_they_were_sent(pair, message):
    import threading

    sender = threading.Thread(target=send, args=(pair[0], message))
    sender.start()
    assert receive(pair[1], time.monotonic() + 10) == message
    sender.join()


def test_a_message_has_a_deadline(pair):
    began_s = time.monotonic()
    with pytest.raises(TimeoutError):
        receive(pair[1], began_s + 0.1)
    assert time.monotonic() - began_s < 30  # for ever, if the deadline did not hold


def test_a_message_that_drips_in_does_not_extend_its_deadline(pair):
    pair[0].sendall((100).to_bytes(4, "big") + b"{")
    with pytest.raises(TimeoutError):
        receive(pair[1], time.monotonic() + 0.1)


def test_a_reader_that_does_not_read_has_a_deadline_too(pair):
    with pytest.raises(TimeoutError):
        send(pair[0], {"long": "x" * 30_000_000}, time.monotonic() + 0.1)


@pytest.mark.parametrize(
    "body",
    [b"{", b"\xff", b"[1]", b'"text"', b"[" * 100_000, b""],
    ids=["cut", "bytes", "list", "text", "deep", "none"],
)
def test_what_is_no_object_is_refused(pair, body):
    pair[0].sendall(len(body).to_bytes(4, "big") + body)
    with pytest.raises(ValueError):  # noqa: PT011 - which one is json's business
        receive(pair[1], time.monotonic() + 5)


def test_a_message_that_is_too_long_is_refused_before_it_is_read(pair):
    pair[0].sendall((MAX_MESSAGE_BYTES + 1).to_bytes(4, "big"))
    with pytest.raises(ValueError, match="message of"):
        receive(pair[1], time.monotonic() + 5)


def test_the_other_side_that_hangs_up_is_the_end(pair):
    pair[0].sendall(b"\x00\x00")
    pair[0].close()
    with pytest.raises(EOFError):
        receive(pair[1], time.monotonic() + 5)


ECHO = "channel.sendall(channel.recv(65536)); channel.recv(65536); time.sleep(60)"


def test_a_child_answers_until_it_is_killed(child):
    one = child(ECHO)
    assert one.ask({"question": 1}, 10) == {"question": 1}
    assert one.alive
    one.kill()
    one.kill()
    assert not one.alive
    assert "said on standard output" in one.tail


def test_a_silent_child_is_killed(child):
    one = child(ECHO)
    one.ask({}, 10)
    with pytest.raises(ChildSilentError):
        one.ask({}, 0.2)
    assert not one.alive


@pytest.mark.parametrize(
    ("body", "returncode"),
    [("sys.exit(3)", 3), ("import os; os.kill(os.getpid(), 9)", -9), ("raise ValueError('last words')", 1)],
)
def test_a_child_that_ends_says_how(child, body, returncode):
    with pytest.raises(ChildDiedError) as death:
        child(body).ask({}, 10)
    assert death.value.returncode == returncode
    assert ("last words" in death.value.tail) == (returncode == 1)


def test_a_child_that_answers_nonsense_is_killed(child):
    one = child("channel.sendall(b'\\x00\\x00\\x00\\x01?'); time.sleep(60)")
    with pytest.raises(ChildDiedError) as death:
        one.ask({}, 10)
    assert "garbled" in death.value.tail
    assert not one.alive


@pytest.mark.parametrize("told", [True, False], ids=["told", "polled"])
def test_a_death_ends_the_wait_though_a_process_it_started_keeps_the_socket_open(child, monkeypatch, told):
    if not told:
        monkeypatch.setattr(process, "_death_of", lambda _pid: None)
    one = child("import os\nif os.fork() == 0: time.sleep(60)\nos.kill(os.getpid(), 11)")
    began_s = time.monotonic()
    with pytest.raises(ChildDiedError) as death:
        one.ask({}, 50)
    assert death.value.returncode == -11
    assert time.monotonic() - began_s < 40


def test_what_a_child_said_before_it_died_is_heard(child):
    assert child("channel.recv(65536); channel.sendall(b'\\x00\\x00\\x00\\x02{}')").ask({}, 10) == {}


def test_a_child_outlives_the_thread_that_started_it(child):
    """On Linux it would die with that thread, in the middle of somebody else's request."""
    body = "import ctypes; ctypes.CDLL(None).prctl(1, 9)\nwhile True: channel.sendall(channel.recv(65536))"
    made = []

    def start():
        made.append(child(body))
        made[0].ask({"a": 1}, 60)

    thread = threading.Thread(target=start)
    thread.start()
    thread.join()
    time.sleep(0.05)  # for the signal
    assert made[0].ask({"a": 2}, 60) == {"a": 2}
