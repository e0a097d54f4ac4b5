"""The slices that this program has: to import this is to plug them into the core.

Whoever reads a journal needs them, for the events in it.
"""

from wfnb.core import extension
from wfnb.investigations.extension import InvestigationExtension
from wfnb.investigations.view_extension import InvestigationViews
from wfnb.views import extension as view_extension

extension.plug_in(InvestigationExtension())
view_extension.plug_in(InvestigationViews())
