"""Ways in which a bot could say a bit to another at its table."""

# Before each of its moves the one says a bit, before each of its own the other notes what it hears.
COMMON = """
import array, ctypes, fcntl, mmap, resource, signal, socket, struct, sysconfig, threading
libc = ctypes.CDLL(None, use_errno=True)
COMMON = sysconfig.get_paths()["stdlib"] + "/this.py"
HOME = os.environ["HOME"]
LOCK = struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, 0, 1, 0)
OFD_SETLK, X86 = 37, os.uname().machine == "x86_64"
kept = []

# The other's process was started just before or after; in a namespace all numbers are small.
NEAR = range(max(1, os.getpid() - 500), os.getpid() + 500)
processes = []
def crowd(kept, size):
    "Have so many threads beside its own."
    while len(kept) < size:
        kept.append(threading.Event())
        threading.Thread(target=kept[-1].wait, daemon=True).start()
    while len(kept) > size: kept.pop().set()
    time.sleep(0.02)
def others():
    "Processes that are there, but for its own: both bots are before the first move."
    if not processes:
        for pid in NEAR:
            if pid != os.getpid():
                try: os.stat(f"/proc/{pid}")
                except OSError: continue
                processes.append(pid)
        processes.append(0)
    return processes[:-1]
"""


ACTIONS = 45


# Several channels in a game, each for so many of its actions: both bots know which is tried.
SPACES = f"""
SPACES, told, at = [], 0, 0
for code in CODES:
    SPACES.append({{**globals(), "kept": []}})
    exec(code, SPACES[-1])
def tried(message):
    "The channel that is tried now, and the one that was until now."
    global told, at
    told += len(message["actions"])
    before, at = at, min(told // {ACTIONS}, len(SPACES) - 1)
    return SPACES[at], SPACES[before]
"""


SAYS = """
BITS = [1, 0, 1, 1, 0, 0, 1, 0, 1, 1, 1, 0] * 10
def choose(m):
    now, before = tried(m)
    try:
        if now is not before: before["say_bit"](0)
        now["say_bit"](BITS.pop())
    except Exception as error: note("refused", error)
    reply(m)
play(choose)
"""


HEARS = """
heard = [[] for _ in SPACES]
def choose(m):
    now, _ = tried(m)
    try: heard[at].append(now["hear_bit"]())
    except Exception as error: heard[at].append(type(error).__name__)
    reply(m)
play(choose, over=lambda m: note(json.dumps(heard)))
"""


TOGETHER = 3  # channels tried in a game
CHANNELS = {
    "record locks": """
file = open("/dev/null", "r+")
def say_bit(bit): fcntl.lockf(file, fcntl.LOCK_EX if bit else fcntl.LOCK_UN)
def hear_bit():
    fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    fcntl.lockf(file, fcntl.LOCK_UN)
""",
    "record locks looked for": """
file = open("/dev/null", "r+")
def say_bit(bit): fcntl.lockf(file, fcntl.LOCK_EX if bit else fcntl.LOCK_UN)
def hear_bit(): return fcntl.fcntl(file, fcntl.F_GETLK, LOCK)[0]
""",
    "locks of open files": """
file = open("/dev/null", "r+")
def say_bit(bit): fcntl.fcntl(file, OFD_SETLK, struct.pack("hhqqi4x", 1 if bit else 2, 0, 0, 1, 0))
def hear_bit():
    fcntl.fcntl(file, OFD_SETLK, LOCK)
    fcntl.fcntl(file, OFD_SETLK, struct.pack("hhqqi4x", 2, 0, 0, 1, 0))
""",
    "locks of a common file": """
file = open(COMMON)
def say_bit(bit): fcntl.flock(file, fcntl.LOCK_EX if bit else fcntl.LOCK_UN)
def hear_bit():
    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    fcntl.flock(file, fcntl.LOCK_UN)
""",
    "leases": """
file = open(COMMON)
def say_bit(bit): fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_RDLCK if bit else fcntl.F_UNLCK)
def hear_bit(): return fcntl.fcntl(file, fcntl.F_GETLEASE)
""",
    "hints": """
file = open(COMMON)
def say_bit(bit): fcntl.fcntl(file, 1036, struct.pack("Q", 2 + bit))
def hear_bit(): return fcntl.fcntl(file, 1035, bytes(8)).hex()
""",
    "threads": """
def say_bit(bit): crowd(kept, 40 * bit)
def hear_bit(): return [os.stat(f"/proc/{pid}/task").st_nlink for pid in others()]
""",
    "room for threads": """
def say_bit(bit): crowd(kept, 55 * bit)
def hear_bit():
    stop, made = threading.Event(), []
    try:
        for _ in range(50):
            made.append(threading.Thread(target=stop.wait, daemon=True))
            made[-1].start()
    finally:
        stop.set()
    for thread in made: thread.join()
""",
    "descriptors": """
def say_bit(bit):
    while len(kept) < bit: kept.append(os.open(COMMON, os.O_RDONLY))
    while len(kept) > bit: os.close(kept.pop())
def hear_bit():
    found = []
    for pid in others():
        for number in range(20):
            try: found.append(os.lstat(f"/proc/{pid}/fd/{number}").st_mode)
            except OSError: pass
    return found
""",
    "ids of threads": """
def thread_id():
    got = []
    thread = threading.Thread(target=lambda: got.append(threading.get_native_id()))
    thread.start()
    thread.join()
    return got[0]
def say_bit(bit):
    for _ in range(60 * bit): thread_id()
last = thread_id()
def hear_bit():
    global last
    before, last = last, thread_id()
    return last - before
""",
    "inodes of threads": """
# A thread made without the C library, which waits for ever.
pause = ctypes.cast(libc.pause, ctypes.c_void_p).value
def thread_inode():
    stack, fd = ctypes.create_string_buffer(1 << 16), ctypes.c_int()
    top = ctypes.addressof(stack) + (1 << 16) - 1024 & ~15
    for n in range(8): ctypes.c_uint64.from_address(top + 8 * n).value = pause
    kept.append(stack)
    call = (56, 0x51F00, ctypes.c_void_p(top), ctypes.byref(fd), None, 0)
    if not X86 or libc.syscall(*call) < 0: raise OSError("refused")
    return os.fstat(fd.value).st_ino
def say_bit(bit):
    for _ in range(3 * bit): thread_inode()
def hear_bit():
    kept.append(thread_inode())
    return kept[-1] - kept[-3] if len(kept) > 2 else 1
""",
    "cookies of sockets": """
def cookie():
    one, other = socket.socketpair()
    return struct.unpack("Q", one.getsockopt(socket.SOL_SOCKET, 57, 8))[0]
def say_bit(bit):
    for _ in range(5000 * bit): cookie()
def hear_bit(): return cookie() >> 12
""",
    "memory": """
def say_bit(bit):
    kept.clear()
    if bit: kept.append(bytearray(b"1") * (75 << 20))
def hear_bit():
    words = (ctypes.c_ulong * 14)()
    if libc.sysinfo(words): raise OSError("refused")
    return bool(words[5] >> 26) if words[5] else None
""",
    "disc": """
def say_bit(bit):
    with open(HOME + "/file", "wb") as file: file.write(bytes(bit * (7 << 20)))
def hear_bit(): return os.statvfs("/usr").f_bfree >> 8
""",
    "CPU time": """
def say_bit(bit):
    end = time.monotonic() + 0.1 * bit
    while time.monotonic() < end: pass
def hear_bit():
    found = []
    for pid in NEAR:
        try: found.append(time.clock_gettime((~pid << 3) | 2))
        except OSError: pass
    return found
""",
    "signals": """
def say_bit(bit):
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGRTMIN])
    for _ in range(60 * bit): os.kill(os.getpid(), signal.SIGRTMIN)
def hear_bit():
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGRTMIN])
    for _ in range(60): os.kill(os.getpid(), signal.SIGRTMIN)
    count = 0
    while signal.sigtimedwait([signal.SIGRTMIN], 0): count += 1
    return count
""",
    "all the signals that a user may queue": """
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGRTMIN])
def queue(most):
    for _ in range(most): os.kill(os.getpid(), signal.SIGRTMIN)
def cleared():
    count = 0
    while signal.sigtimedwait([signal.SIGRTMIN], 0): count += 1
    return count
def say_bit(bit):
    if bit: queue(min(1 << 17, resource.getrlimit(resource.RLIMIT_SIGPENDING)[0] + 1))
    else: cleared()
def hear_bit():
    queue(5)
    return cleared()
""",
    "descriptors on their way": """
def say_bit(bit):
    kept.clear()
    if bit:
        kept.extend(socket.socketpair())
        for _ in range(3): socket.send_fds(kept[0], [b"x"], [0] * 30)
def hear_bit():
    one, other = socket.socketpair()
    socket.send_fds(one, [b"x"], [0])
""",
    "access times": """
def say_bit(bit):
    if bit: open(COMMON).read(); os.listdir(os.path.dirname(COMMON) + "/wsgiref")
def hear_bit():
    return [os.stat(path).st_atime_ns for path in (COMMON, os.path.dirname(COMMON) + "/wsgiref")]
""",
    "priorities": """
def say_bit(bit):
    os.nice(bit)
    os.setpriority(os.PRIO_PROCESS, 0, 13 + bit)
def hear_bit():
    found = []
    for pid in NEAR:
        try: found.append(os.getpriority(os.PRIO_PROCESS, pid))
        except OSError: pass
    return [nice for nice in found if nice in (1, 13, 14)]  # not whatever else the host runs
""",
    "sockets by name": """
def say_bit(bit):
    kept.clear()
    if bit:
        kept.append(socket.socket(socket.AF_UNIX))
        kept[0].bind("\\0carc-channel")
def hear_bit():
    one, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    one.sendto(b"x", "\\0carc-channel")
""",
    "queues": """
def say_bit(bit): kept[:] = [libc.msgget(4711, 0o1666 if bit else 0o666)]
def hear_bit(): return libc.msgget(4711, 0o666)
""",
    "shared files in memory": """
def say_bit(bit):
    if bit: open("/dev/shm/carc-channel", "w").close()
def hear_bit(): return os.path.exists("/dev/shm/carc-channel")
""",
}
