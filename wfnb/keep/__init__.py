"""values of the user's namespace ⇄ files beside the journal.

keeper = Keeper(home)                                  the folder `.wfnb`
values, unknown = chosen(["df", "model*"], namespace)
with keeper.keeping():
    kept = keeper.keep(values, asked=["df", "model*"], namespace=namespace)
    …                                                  record `kept` in the journal
restored = keeper.restore(kept, namespace=namespace)   all as new objects
plan, restored = keeper.go_back(kept, namespace=namespace)   those that are not there already
namespace.update(restored.also | restored.values)
restored.give_back()                                   to members of enumerations what they held
"""

from .chosen import SECRETS as SECRETS
from .chosen import chosen as chosen
from .chosen import secret as secret
from .describe import Described as Described
from .describe import describe as describe
from .describe import figure_png as figure_png
from .difference import difference as difference
from .keeper import BUDGET as BUDGET
from .keeper import Keeper as Keeper
from .keeper import Usage as Usage
from .restored import NotBack as NotBack
from .restored import Restored as Restored
from .restored import held as held
from .same import same as same
