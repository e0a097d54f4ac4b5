"""The type of a parameter that the system is given as it is: a path, an argument, a variable."""

from typing import Annotated

from pydantic import Field

from wfnb.workflows.definition.schema_fit import SYSTEM

SystemText = Annotated[str, Field(json_schema_extra={"format": SYSTEM})]
