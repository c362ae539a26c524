"""Each check of the kit as a test of pytest.

``pytest --a2a-url http://localhost:4000`` adds one test for each check. A test suite that starts the agent itself gives
its URL in a fixture named ``a2a_url`` and writes::

    def test_conformance(a2a_check):
        a2a_check()

The agent is judged once, before the first of these tests, and only by the checks that pytest has chosen (``-k``,
``--lf``). Collecting sends nothing.
"""

from __future__ import annotations

import json
import shlex
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Callable

import pytest

from a2a_tck import command

GATE = "gate"
#: How the test of an expectation begins; its name follows.
EXPECT = "expect/"


class ConformanceFailure(Exception):
    """A check that fails the gate of the kit."""


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("a2a-tck", "A2A conformance (a2a-tck)")
    group.addoption("--a2a-url", metavar="URL", help="base, card or endpoint URL of the agent: adds a test for each check")
    group.addoption("--a2a-profile", metavar="ID", help="what the agent speaks; a2a-tck list profiles (default: auto)")
    group.addoption("--a2a-args", metavar="OPTIONS", help="more options of a2a-tck, in one word: '--timeout 60000 --strict'")
    parser.addini("a2a_profile", "what the agent speaks (default: auto)", default="auto")
    parser.addini("a2a_args", "more options of a2a-tck", default="")


class Run:
    """The run of the kit that all tests of a session share."""

    def __init__(self, config: pytest.Config) -> None:
        self._profile = config.getoption("--a2a-profile") or config.getini("a2a_profile")
        self._options = shlex.split(f"{config.getini('a2a_args')} {config.getoption('--a2a-args') or ''}")
        self._declared: list[str] | None = None
        self._tests: dict[str, list[dict[str, Any]]] | None = None
        self._problem: str | None = None
        #: The checks that pytest has chosen.
        self.chosen: list[str] = []

    def declared(self) -> list[str]:
        """The ids of the checks that a run may have, and of the test that says whether enough was shown."""
        if self._declared is None:
            listing = self._kit("list", "checks", "--profile", self._profile, "--json")
            if listing.returncode != 0:
                raise pytest.UsageError(listing.stderr.strip())
            checks = [check["id"] for check in json.loads(listing.stdout)]
            self._declared = [*checks, *self._expectations(), GATE]
        return self._declared

    def _expectations(self) -> list[str]:
        """The expectations of the configuration that the run reads."""
        if "--no-config" in self._options:
            return []
        words = []
        for at, option in enumerate(self._options):
            if option == "--config":
                words = self._options[at : at + 2]
            elif option.startswith("--config="):
                words = [option]
        # It ends with an error where no expectations are written. What is wrong in a configuration the run says.
        listing = self._kit("list", "expectations", "--json", *words)
        return [f"{EXPECT}{one['name']}" for one in json.loads(listing.stdout)] if listing.returncode == 0 else []

    def judge(self, check: str, url: str) -> None:
        """Passes, skips or fails the current test as the kit judges the check."""
        if self._tests is None and self._problem is None:
            self._start(url)
            if self._tests is None:
                raise ConformanceFailure(f"the agent could not be judged:\n{self._problem}")
        if self._tests is None:
            pytest.skip("the agent could not be judged: the first of these tests says why")
        # At another interface the id ends with the label of the interface.
        ends = [test for name, tests in self._tests.items() if self._of(name) == check for test in tests]
        if check == GATE:
            self._judge_rest()
            return
        if not ends:
            pytest.skip("this run does not have it")
        for test in ends:
            if test["status"] == "failed":
                raise ConformanceFailure(_text(test))
        if all(test["status"] != "passed" for test in ends):
            pytest.skip(ends[0].get("message", ends[0]["status"]))

    def _judge_rest(self) -> None:
        """Fails for what has no test of its own: too little was shown, or the fuzzer found something."""
        known = self.declared()
        assert self._tests is not None
        rest = [test for name, tests in self._tests.items() if name == GATE or self._of(name) not in known for test in tests]
        failed = [f"{test['testId']}: {_text(test)}" for test in rest if test["status"] == "failed"]
        if failed:
            raise ConformanceFailure("\n".join(failed))

    def _of(self, name: str) -> str:
        """The declared id that a test of the report belongs to."""
        if name in self.declared():
            return name
        cut = name.rpartition(" @")[0] if name.startswith(EXPECT) else name.split("@")[0]
        return cut or name

    def _start(self, url: str) -> None:
        words = ["--url", url]
        if self._profile != "auto":
            words += ["--profile", self._profile]
        checks = [check for check in self.chosen if check != GATE and not check.startswith(EXPECT)]
        known = [check for check in self.declared() if check != GATE and not check.startswith(EXPECT)]
        if 0 < len(checks) < len(known):
            words += ["--check", ",".join(checks)]
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "report.json"
            ended = self._kit(*words, "--report", f"ctrf={file}", *self._options)
            if not file.exists():
                self._problem = ended.stderr.strip() or f"a2a-tck ended with exit code {ended.returncode}"
                return
            tests: dict[str, list[dict[str, Any]]] = {}
            for test in json.loads(file.read_text("utf-8"))["results"]["tests"]:
                tests.setdefault(test["testId"], []).append(test)
            self._tests = tests

    def _kit(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(command(*words), capture_output=True, encoding="utf-8", errors="replace", check=False)


def _text(test: dict[str, Any]) -> str:
    lines = [test["name"], f"  problem: {test.get('message', '')}"]
    lines += [f"  {line}" for line in test.get("trace", "").split("\n") if line]
    if test.get("snippet"):
        lines.append(f"  reproduce: {test['snippet']}")
    return "\n".join(lines)


class CheckItem(pytest.Item):
    """The test of a check, where no test function asks for it."""

    def runtest(self) -> None:
        self.config.stash[_RUN].judge(self.name, self.config.getoption("--a2a-url"))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        # The place in this file says nothing to the author of an agent.
        if isinstance(excinfo.value, ConformanceFailure):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, None, str]:
        return self.path, None, self.name


_RUN = pytest.StashKey[Run]()


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_RUN] = Run(config)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    """Adds the tests before ``-k`` and ``--lf`` choose among them."""
    asked = any("a2a_check" in getattr(item, "fixturenames", ()) for item in items)
    if config.getoption("--a2a-url") and not asked:
        added = [
            CheckItem.from_parent(session, name=check, nodeid=f"a2a::{check}") for check in config.stash[_RUN].declared()
        ]
        # pytest counts what a report of collecting names.
        config.hook.pytest_collectreport(report=pytest.CollectReport("a2a", "passed", None, list(added)))
        items.extend(added)


def pytest_collection_finish(session: pytest.Session) -> None:
    run = session.config.stash[_RUN]
    for item in session.items:
        if isinstance(item, CheckItem):
            run.chosen.append(item.name)
        elif "a2a_check" in getattr(item, "fixturenames", ()):
            run.chosen.append(item.callspec.params["a2a_check"])  # type: ignore[attr-defined]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "a2a_check" in metafunc.fixturenames:
        metafunc.parametrize("a2a_check", metafunc.config.stash[_RUN].declared(), indirect=True, scope="session")


@pytest.fixture(scope="session")
def a2a_url(request: pytest.FixtureRequest) -> str:
    """The URL of the agent: ``--a2a-url``. Define a fixture of this name to start an agent."""
    url = request.config.getoption("--a2a-url")
    if not url:
        raise pytest.UsageError("give --a2a-url, or define a session fixture a2a_url that starts the agent")
    return str(url)


@pytest.fixture(scope="session")
def a2a_check(request: pytest.FixtureRequest, a2a_url: str) -> Callable[[], None]:
    """Judges one check: call it."""
    check: str = request.param

    def judge() -> None:
        problem = None
        try:
            request.config.stash[_RUN].judge(check, a2a_url)
        except ConformanceFailure as failure:
            problem = str(failure)
        if problem is not None:
            pytest.fail(problem, pytrace=False)

    return judge
