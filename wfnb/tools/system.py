"""this system -> what programs are run and ended with; SystemUnsupported where it lacks that."""

from wfnb.errors import SystemUnsupported

try:
    import pty as pty
    import termios as termios
    from select import poll as poll
    from signal import SIGKILL as SIGKILL
except ImportError as error:
    raise SystemUnsupported(str(error)) from None
