"""What a shell's line shows: a clock or a die, however it is written, is nothing that was seen."""

import pytest

from wfnb.inspection.shell_commands import commands, hides_failure, shows_tests

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


STARTED = (
    *(
        "docker run x pytest",
        "docker exec -it x pytest -q",
        "docker run -h host x python -m pytest",
    ),
    *(
        "docker compose run --rm build pytest",
        "podman run --rm x tox",
        "kubectl exec pod -- pytest",
    ),
    *("ssh host pytest", "ssh host 'cd a && pytest -q'", "make test", "make -C a check", "nox"),
    *("nox -s tests", "tox -e py", "python -m tox", "uv run pytest", "uvx --with x pytest"),
    *("poetry run pytest a.py", "pdm run pytest", "pipenv run pytest", "hatch test", "npm test"),
    *("npm run test:unit", "yarn test", "bun test", "deno test", "node --test", "gradlew test"),
    *(
        "./gradlew test",
        "mvn -q test",
        "cargo test",
        "go test ./...",
        "bazel test //...",
        "inv test",
    ),
    *("sudo -u bob pytest", "env X=1 pytest", "X=1 pytest", "timeout 60 pytest", "time pytest"),
    *("nix-shell --run 'pytest -q'", "bash -c 'cd a && pytest'", "conda run -n x pytest"),
    *(
        "coverage run -m unittest",
        "xvfb-run -a pytest",
        "flock .lock pytest",
        "make clean test",
        "npm --prefix a test",
        "su bob -c 'pytest a'",
    ),
    *(
        "singularity exec image.sif pytest",
        "srun -n 1 pytest",
        "cd a && pytest",
        ".venv/bin/pytest",
    ),
)
NOT_STARTED = (
    *("pip install pytest", "uv add --dev pytest", "uv pip install pytest", "poetry add pytest"),
    *("conda install -y pytest", "docker build -t pytest .", "docker pull pytest", "which pytest"),
    *("sudo apt-get install pytest", "command -v pytest", "git commit -m pytest", "echo pytest"),
    *("grep -r pytest .", "cat pytest.ini", "pytest --help", "docker run x pytest --collect-only"),
    *(
        "mvn test -DskipTests",
        "tox --notest",
        "nox --list",
        "python fit.py test",
        "npm install test",
        "cargo install nextest",
        "go build test",
    ),
)


@pytest.mark.parametrize("line", STARTED)
def test_tests_are_known_whatever_starts_them(line: str):
    told = commands(line)

    assert "test" in told.acts
    assert {run.act for run in told.runs} == {"test"}


@pytest.mark.parametrize("line", NOT_STARTED)
def test_a_program_that_is_only_named_is_not_started(line: str):
    assert "test" not in commands(line).acts
    assert commands(line).runs == ()


UNITTEST = "python -m unittest"
PRINTED = {
    (UNITTEST, "Ran 2 tests in 0.1s\n\nOK"): True,
    (UNITTEST, "Ran 2 tests in 0.1s\n\nOK (skipped=1)"): True,
    (UNITTEST, "Ran 2 tests in 0.1s\n\nOK (skipped=2)"): False,
    (UNITTEST, "Ran 0 tests in 0.0s\n\nOK"): False,
    (UNITTEST, "NO TESTS RAN"): False,
    (UNITTEST, ""): False,
    (UNITTEST, None): False,
    (f"{UNITTEST} a && {UNITTEST} b", "Ran 2 tests in 0.1s\n\nOK\nRan 0 tests in 0.0s"): False,
    ("pytest", "\x1b[32m\x1b[1m1 passed\x1b[0m in 0.1s"): True,
    ("pytest", "1 passed, 3 skipped in 0.1s"): True,
    ("pytest", "3 skipped in 0.1s"): False,
    ("pytest", "2 deselected in 0.1s"): False,
    ("pytest", "2 xfailed in 0.1s"): True,
    ("pytest", "1 failed, 2 passed in 0.1s"): False,
    ("pytest", None): True,
    ("make test", None): True,
    ("make test", "all is well"): True,
    ("make test", "no tests ran in 0.01s"): False,
    ("make -i test", "1 failed, 2 passed"): False,
    ("make -n test", "python -m pytest"): False,
    ("python -m doctest a.py", ""): False,
    ("python -m doctest -v a.py", "3 passed and 0 failed.\nTest passed."): True,
    ("python test_a.py", ""): False,
    ("go test ./...", "?   pkg  [no test files]"): False,
    ("go test ./...", "ok  \tpkg\t0.003s"): True,
    ("cargo test", "running 0 tests\ntest result: ok. 0 passed; 0 failed"): False,
    ("cargo test", "test result: ok. 3 passed; 0 failed\nrunning 0 tests"): True,
    ("docker run -d x pytest", "0f3a"): False,
    ("npm test --if-present", ""): False,
    ("ruff check", None): True,
}


@pytest.mark.parametrize(("line", "printed"), PRINTED)
def test_a_success_is_one_where_a_test_is_seen_to_have_run(line: str, printed: str | None):
    assert shows_tests(line, printed) == PRINTED[line, printed]


@pytest.mark.parametrize(
    "line",
    [
        "ssh host 'pytest | tail'",
        "docker run x sh -c 'pytest; true'",
        "ruff check --exit-zero .",
        "flake8 --exit-zero",
        "jest --passWithNoTests",
    ],
)
def test_what_ends_well_whatever_happens_hides_a_failure(line: str):
    assert hides_failure(line)


@pytest.mark.parametrize(("line", "acts"), ACTS.items())
def test_a_program_that_tells_of_itself_runs_nothing(line: str, acts: tuple[str, ...]):
    assert commands(line).acts == acts


@pytest.mark.parametrize("line", NOTHING_SEEN)
def test_a_clock_and_a_die_of_the_shell_are_no_look(line: str):
    assert not commands(line).looks


@pytest.mark.parametrize("line", SEEN)
def test_what_reads_or_runs_something_is_one(line: str):
    assert commands(line).looks
