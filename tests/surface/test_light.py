"""What `pip install carc` leaves out is asked for in a sentence, and the rest goes without."""

import subprocess

import pytest
from support.program import python

BLOCK = """
import sys
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {missing!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Missing())
"""
HEAVY = ("mpmath", "multiprocessing_logging", "networkx", "numpy", "rich", "trueskill")


def without(missing: tuple[str, ...], code: str) -> subprocess.CompletedProcess[str]:
    """Run code where some packages are missing."""
    return python(BLOCK.format(missing=missing) + code)


@pytest.mark.parametrize(
    ("missing", "code", "says"),
    [
        (
            HEAVY,
            "from carc.learn.vector import VectorEnv",
            "carc.learn.vector needs numpy: pip install 'carc[arrays]'",
        ),
        (
            HEAVY,
            "from carc.learn.observation import observation",
            "needs numpy: pip install 'carc[arrays]'",
        ),
        (("pettingzoo",), "import carc.learn.pettingzoo", "pip install 'carc[pettingzoo]'"),
        (("gymnasium",), "import carc.learn.gymnasium", "pip install 'carc[gymnasium]'"),
        (("pyspiel",), "import carc.learn.openspiel", "pip install 'carc[openspiel]'"),
    ],
)
def test_a_missing_package_is_asked_for(missing: tuple[str, ...], code: str, says: str) -> None:
    ran = without(missing, code)
    assert ran.returncode == 1
    assert says in ran.stderr.splitlines()[-1]


def test_the_program_plays_and_helps_where_little_is_installed() -> None:
    main = "from carc.commands.main import main\nmain()"
    ran = without(HEAVY, f"sys.argv = ['carc', '--help']\n{main}")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "replay" in ran.stdout
    assert "pip install 'carc[tournament]'" in " ".join(ran.stdout.split())
    ran = without(HEAVY, f"sys.argv = ['carc', 'play', '--bots', 'greedy,random']\n{main}")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "won by" in ran.stdout
    ran = without(HEAVY, f"sys.argv = ['carc', 'tournament', '--rules', 'base']\n{main}")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.endswith("pip install 'carc[tournament]'\n")
