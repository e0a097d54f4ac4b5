"""path → whether several machines may see it, from the kernel's table of mounts."""

from __future__ import annotations

import os
import re

MOUNTS = "/proc/self/mountinfo"

# fmt: off
NETWORK = frozenset((
    "9p", "afs", "beegfs", "ceph", "cifs", "davfs", "fuse.ceph", "fuse.davfs",
    "fuse.glusterfs", "fuse.rclone", "fuse.s3fs", "fuse.sshfs", "gfs2", "glusterfs", "gpfs",
    "lustre", "ncpfs", "nfs", "nfs4", "ocfs2", "smb2", "smb3", "smbfs",
))
# fmt: on


def on_network(path: str) -> bool:
    """Whether other machines may write the file too; False where there is no table."""
    try:
        with open(MOUNTS, encoding="utf-8", errors="surrogateescape") as table:
            return file_system(os.path.realpath(path), table.read()) in NETWORK
    except OSError:
        return False


def file_system(path: str, table: str) -> str:
    """The type of the file system that holds an absolute path: the deepest mount, the newest of
    several at one point. Fields as in proc(5): the point is the fifth, the type follows ` - `.

    >>> table = '''22 1 0:20 / / rw,relatime - ext4 /dev/vda rw
    ... 40 22 0:44 / /home rw shared:9 - nfs4 server:/home rw'''
    >>> file_system("/home/ann/work", table), file_system("/homework", table)
    ('nfs4', 'ext4')
    """
    name, depth = "", -1
    for line in table.splitlines():
        mount, _, device = line.partition(" - ")
        # The kernel writes spaces in a path as \040.
        point = re.sub(r"\\(\d{3})", lambda octal: chr(int(octal[1], 8)), mount.split(" ")[4])
        # With the slash, or `/home` would hold `/homework`.
        inside = path == point or path.startswith(point.rstrip("/") + "/")
        if inside and len(point) >= depth:
            name, depth = device.split(" ")[0], len(point)
    return name
