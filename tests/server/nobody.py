"""For a server on which nobody may read the notebooks."""

from typing import Any

from jupyter_server.auth import Authorizer


class Nobody(Authorizer):
    def is_authorized(self, handler: Any, user: Any, action: str, resource: str) -> bool:
        return (action, resource) != ("read", "contents")
