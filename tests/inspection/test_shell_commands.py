"""What a shell's line shows: a clock or a die, however it is written, is nothing that was seen."""

import pytest

from wfnb.inspection.shell_commands import commands

NOTHING_SEEN = [
    "echo $RANDOM",
    "echo ${RANDOM}",
    'echo "$RANDOM"',
    "echo $((RANDOM % 6))",
    "echo $((RANDOM % 6)); set -e",
    "echo $$",
    "echo $(date)",
    'echo "$(date +%s)"',
    "echo `date`",
    "uuidgen",
    "cat /dev/urandom",
    "head -c 4 /dev/urandom",
    "head -c 4 /dev/urandom | xxd",
    "od -An -N4 < /dev/urandom | tr -d ' '",
    "dd if=/dev/urandom bs=1 count=4",
    "cat /proc/sys/kernel/random/uuid",
    "openssl rand -hex 4",
    "shuf -i 1-6 -n 1",
    "date | cut -c 1-4",
    "echo looked | cat",
    "seq 3 | wc -l",
    "awk 'BEGIN{srand(); print rand()}'",
    "cat a.py > /dev/null",
    "cat a.py >> b.py",
    "grep -n x a.py > found.txt 2>&1",
    "ls &> /dev/null",
    "gawk -v n=6 'BEGIN { print int(rand() * n) }'",
]
SEEN = [
    "cat a.py",
    "awk 'BEGIN{n = 1} {print n}' a.py",
    "awk 'BEGIN{getline < \"a.py\"; print}'",
    "awk 'BEGIN{print rand()} END{print NR}' a.py",
    "cat a.py | head -3",
    "date | cat a.py",
    "echo $(cat a.py)",
    'echo "$(cat a.py)"',
    "echo `cat a.py`",
    "echo $HOME",
    "echo $((1 + 1)); cat a.py",
    "echo $(( (1 + 1) * 2 )) && cat a.py",
    "cat /dev/urandom a.py",
    "shuf a.csv",
    "python a.py",
    "yes | python a.py",
    "echo 'a b' | python parse.py",
    "grep -c x < a.py",
    "cd src; ls",
    "pytest > /dev/null",
    "cat a.py 2> /dev/null",
    "cat a.py 2>&1",
    "cat a.py > b.py; cat b.py",
    "pytest -c /dev/null",
]


ACTS = {
    "pytest -q tests": ("run", "test"),
    "pytest --help": (),
    "pytest -h": (),
    "pytest --version": ("versions",),
    "pytest --collect-only -q": (),
    "python -m pytest --co": (),
    "pytest --fixtures": (),
    "ruff check .": ("run", "check"),
    "ruff format --check": ("run", "check"),
    "ruff --version": ("versions",),
    "ruff check --help": (),
    "ruff check --show-files": (),
    "ruff rule E501": ("run",),
    "mypy -V": ("versions",),
    "mypy wfnb": ("run", "check"),
    "ctest -N": (),
    "nox --list": (),
    "cargo test --no-run": (),
    "python model.py --help": (),
    "grep -h x a.py": ("search",),
    "timeout -k 5 60 pytest -q": ("run", "test"),
    "nice -n 5 pytest": ("run", "test"),
    "coverage run -m pytest": ("run", "test"),
    "python -m coverage run --branch -m unittest": ("run", "test"),
    "uv run --with x python -m pytest": ("run", "test"),
    "poetry run mypy .": ("run", "check"),
    "uvx ruff check": ("run", "check"),
    "npx jest": ("run", "test"),
    "python -X dev -m pytest": ("run", "test"),
    "python tests/test_parse.py": ("run", "test"),
    "python manage.py test": ("run", "test"),
    "python manage.py migrate": ("run",),
    "bash run_tests.sh": ("run", "test"),
    "make -j4 test": ("run", "test"),
    "python fit.py --data test.csv": ("run",),
}


@pytest.mark.parametrize(("line", "acts"), ACTS.items())
def test_a_program_that_tells_of_itself_runs_nothing(line: str, acts: tuple[str, ...]):
    assert commands(line).acts == acts


@pytest.mark.parametrize("line", NOTHING_SEEN)
def test_a_clock_and_a_die_of_the_shell_are_no_look(line: str):
    assert not commands(line).looks


@pytest.mark.parametrize("line", SEEN)
def test_what_reads_or_runs_something_is_one(line: str):
    assert commands(line).looks
