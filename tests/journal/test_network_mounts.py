"""Which file system a path is on."""

import pytest

from wfnb.journal import network_mounts


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/home/ann/x.db", "ext4"),
        ("/home/ann/a share/x.db", "cifs"),
        ("/home/ann/a share", "cifs"),
        ("/home/ann/a shared/x.db", "ext4"),
        ("/tmp/x.db", "overlay"),
        ("x.db", ""),
    ],
)
def test_the_deepest_and_newest_mount_holds_a_path(path: str, kind: str):
    table = r"""
21 1 0:19 / / rw - btrfs /dev/sda rw
22 1 0:20 / / rw,relatime shared:1 master:2 - overlay overlay rw
23 22 0:21 / /home rw - ext4 /dev/sdb rw
24 23 0:22 / /home/ann/a\040share rw - cifs //server/a\040share rw
""".strip()

    assert network_mounts.file_system(path, table) == kind


def test_without_a_table_of_mounts_nothing_is_on_a_network(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(network_mounts, "MOUNTS", "/proc/self/no such table")

    assert not network_mounts.on_network("/home")
