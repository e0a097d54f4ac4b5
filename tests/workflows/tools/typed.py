"""Types that parameters and results of tools have, and the plainest tool."""

from dataclasses import dataclass
from typing import TypedDict

from pydantic import BaseModel, Field


@dataclass
class Size:
    width: int
    height: int = 1


class Order(BaseModel):
    item: str
    count: int = Field(gt=0)


class Row(TypedDict):
    id: int
    name: str


def known(a: int): ...
