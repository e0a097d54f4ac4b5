"""what code calls of the standard library -> whether that sets nothing of the process.

Settings of the process lie in modules that come with Python: handlers of signals and loggers, types
of files, dialects, hooks. What a library adds to them is called by its name (`SETTER` of
`known_functions.py`); here it is the other way round: what is not known to set nothing may set
something. Of the modules that have no settings everything is known, but for the names that say that
they set; of the others the functions that are listed; and making an object of a class sets nothing.
"""

from __future__ import annotations

import sys
from itertools import accumulate
from typing import Final

from .known_functions import HARMLESS_IN_FUNCTIONS, words

STATELESS: Final = words(
    """
    abc argparse array ast base64 binascii bisect builtins bz2 calendar cmath collections colorsys
    concurrent configparser contextlib copy ctypes.util dataclasses datetime dbm decimal difflib dis
    enum filecmp fileinput fnmatch fractions functools getpass glob graphlib gzip hashlib heapq hmac
    html http importlib.metadata importlib.resources importlib.util inspect io ipaddress itertools
    json keyword lzma math numbers operator os.path pathlib pickle pickletools platform plistlib
    pprint pstats queue random re secrets shelve shlex shutil sqlite3 statistics string struct
    subprocess tarfile tempfile textwrap timeit token tokenize tomllib traceback types typing
    unicodedata urllib.error urllib.parse uuid weakref xml zipfile zlib zoneinfo
    """
)
"""Modules without settings, and some whose settings are followed by what they are now (decimal
numbers, random generators)."""

_FUNCTIONS: Final = {
    "asyncio": """
        all_tasks create_subprocess_exec create_subprocess_shell create_task current_task
        ensure_future gather get_event_loop get_running_loop iscoroutine iscoroutinefunction run
        shield sleep timeout to_thread wait wait_for as_completed
        """,
    "csv": "get_dialect list_dialects reader writer",
    "gc": "collect get_count get_objects get_referents get_referrers get_stats is_tracked",
    "importlib": "import_module",
    "locale": "getlocale getpreferredencoding localeconv strcoll strxfrm atof atoi format_string",
    "logging": """
        critical debug error exception getLevelName getLogger getLoggerClass info log warn warning
        """,
    "mimetypes": "guess_all_extensions guess_extension guess_type",
    "multiprocessing": "cpu_count current_process get_context",
    "os": """
        access cpu_count fsdecode fsencode fspath fstat get_terminal_size getcwd getenv getlogin
        getpid getppid getuid link listdir lstat makedirs mkdir popen read readlink remove
        removedirs rename renames replace rmdir scandir stat strerror symlink system times truncate
        uname unlink urandom utime walk write
        """,
    "signal": "getsignal strsignal",
    "socket": "create_connection getaddrinfo getfqdn gethostbyname gethostname",
    "sys": """
        exc_info exit getdefaultencoding getfilesystemencoding getrecursionlimit getrefcount
        getsizeof intern
        """,
    "threading": "active_count current_thread enumerate get_ident get_native_id main_thread",
    "time": """
        asctime ctime get_clock_info gmtime localtime mktime monotonic monotonic_ns perf_counter
        perf_counter_ns process_time process_time_ns sleep strftime strptime thread_time time
        time_ns
        """,
    "urllib.request": "pathname2url url2pathname urlopen urlretrieve",
    "warnings": "catch_warnings warn warn_explicit",
    "webbrowser": "get open",
}
_KNOWN: Final = frozenset(
    f"{module}.{name}" for module, names in _FUNCTIONS.items() for name in words(names)
)


def is_harmless(path: str) -> bool:
    """Whether what has this dotted name is of the standard library, and known to set nothing."""
    return path.partition(".")[0] in sys.stdlib_module_names and not may_set(path)


def may_set(path: str) -> bool:
    """Whether a call of what has this dotted name may set something of the process, as far as the
    standard library has it.

    >>> may_set("mimetypes.add_type"), may_set("mimetypes.guess_type"), may_set("json.loads")
    (True, False, False)
    >>> may_set("threading.Thread"), may_set("pandas.read_csv"), may_set("unittest.mock.patch")
    (False, False, True)
    """
    first, last = path.partition(".")[0], path.rpartition(".")[2]
    if first not in sys.stdlib_module_names or last[:1].isupper() or path in _KNOWN:
        return False
    if path.count(".") > 1 and last in HARMLESS_IN_FUNCTIONS:  # `sys.stdout.write`
        return False
    return STATELESS.isdisjoint(accumulate(path.split("."), "{}.{}".format))
