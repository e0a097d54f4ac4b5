"""The slices that this program has: to import this is to plug them into the core.

Whoever reads a journal needs them, for the events in it.
"""

from wfnb.core.extension import plug_in
from wfnb.investigations.extension import InvestigationExtension

plug_in(InvestigationExtension())
