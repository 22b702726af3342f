"""Where modules of Unix are missing, as on Windows, carc is imported and says what works."""

import subprocess
import textwrap

from support.program import python

# What other packages take from these modules and functions is imported before they are taken away.
EXTRAS = "import distributed, jinja2, starlette.applications, starlette.routing, uvicorn\n"
WITHOUT_UNIX = """
    import sys, os, signal
    import asyncio, concurrent.futures, logging.handlers, multiprocessing, select, shutil
    import subprocess
    import click, multiprocessing_logging, networkx, numpy, rich.console, rich.table, tempfile

    class Missing:
        names = {"fcntl", "grp", "posix", "pty", "pwd", "readline", "resource", "syslog"}
        names |= {"termios", "tty"}

        def find_spec(self, name, path=None, target=None):
            if name in self.names:
                raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    sys.meta_path.insert(0, Missing())
    for name in Missing.names:
        sys.modules.pop(name, None)
    calls = "chown fork getegid geteuid getgid getpgid getuid killpg mkfifo nice pidfd_open"
    flags = "O_CLOEXEC O_DIRECTORY O_NOCTTY O_NOFOLLOW O_NONBLOCK O_PATH"
    more = "register_at_fork sched_getaffinity setgid setsid setuid sysconf uname wait4 waitid"
    signals = "SIGALRM SIGCHLD SIGCONT SIGHUP SIGKILL SIGPIPE SIGSTOP SIGUSR1 pthread_sigmask"
    for place, names in ((os, f"{calls} {flags} {more}"), (signal, signals)):
        for name in names.split():
            if hasattr(place, name):
                delattr(place, name)
"""


def without_unix(program: str, first: str = "") -> subprocess.CompletedProcess[str]:
    """Run a program where nothing is that Windows has not; `first` imports more that takes it."""
    return python(first + textwrap.dedent(WITHOUT_UNIX) + textwrap.dedent(program))


def test_every_module_is_imported() -> None:
    ran = without_unix(
        """
        import importlib, pkgutil, carc
        for module in pkgutil.walk_packages(carc.__path__, "carc."):
            if ".templates" not in module.name and not module.name.endswith("__main__"):
                importlib.import_module(module.name)
        print("imported")
        """,
        EXTRAS,
    )
    assert (ran.stdout, ran.returncode) == ("imported\n", 0), ran.stderr


def test_a_game_is_played_and_drawn() -> None:
    ran = without_unix("""
        from carc.commands.main import main
        sys.platform = "win32"
        sys.argv = ["carc", "play", "--rules", "base", "--bots", "greedy,random", "--seed", "1"]
        main()
    """)
    assert ran.returncode == 0, ran.stderr
    assert "greedy" in ran.stdout


def test_doctor_says_what_windows_has_not() -> None:
    ran = without_unix(
        """
        import shutil, types
        from carc.commands.main import main
        sys.platform = "win32"
        # What `shutil.which` asks there since Python 3.12.
        shutil._winapi = types.SimpleNamespace(NeedCurrentDirectoryForExePath=lambda name: False)
        sys.argv = ["carc", "doctor"]
        main()
        """,
        EXTRAS,
    )
    assert ran.returncode == 0, ran.stderr
    lines = dict(line.split(None, 1) for line in ran.stdout.splitlines() if " " in line.strip())
    assert "WSL 2" in ran.stdout
    assert lines["none"] == "yes"
    assert lines["namespaces"] == "no: processes are isolated on Linux only"


def test_a_tournament_on_windows_is_refused_in_a_sentence() -> None:
    ran = without_unix("""
        import tempfile
        from carc.commands.main import main
        import carc.tournaments.tournament
        folder = tempfile.mkdtemp()
        sys.platform = "win32"
        sys.argv = ["carc", "tournament", "--bots", "greedy,random", "--deals", "1"]
        sys.argv += ["--out", folder]
        main()
    """)
    assert ran.returncode == 2, ran.stderr
    assert ran.stderr.strip().endswith(
        "tournaments need Linux or macOS; on Windows, WSL 2 is a Linux"
    )
