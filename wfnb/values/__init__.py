"""values of the user's namespace ⇄ files beside the journal.

keeper = Keeper(home)                                  the folder `.wfnb`
values, unknown = choose_values(["df", "model*"], namespace)
with keeper.hold_store():
    kept = keeper.keep(values, asked=["df", "model*"], namespace=namespace)
    …                                                  record `kept` in the journal
restored = keeper.restore(kept, namespace=namespace)   all as new objects
plan, restored = keeper.go_back(kept, namespace=namespace)   those that are not there already
namespace.update(restored.also | restored.values)
restored.give_back()                                   to members of enumerations what they held
"""

from .difference import difference as difference
from .equality import same as same
from .keeper import Keeper as Keeper
from .keeper import Usage as Usage
from .name_selection import choose_values as choose_values
from .restore_result import RestoredValues as RestoredValues
from .restore_result import RestoreFailure as RestoreFailure
from .restore_result import held_states as held_states
from .secret_names import SECRETS as SECRETS
from .secret_names import secret as secret
from .value_description import Description as Description
from .value_description import describe as describe
from .value_description import figure_png as figure_png
