"""classes that note in `sys.met` whatever they are asked; a cell that defines them runs this text.

A class of each kind: of its own, of the containers and the text of Python, one that makes an
attribute when it is asked for it, and one with an array's attributes as properties.
"""

import sys

sys.met = []
NAMES = (
    *("shape", "dtype", "ndim", "size", "nbytes", "item", "data", "real"),
    *("columns", "num_rows", "num_columns", "index", "iloc", "name", "names", "figure"),
    *("isna", "null_count", "memory_usage", "estimated_size"),
)


def _noting(name, answer):
    def noted(self, *given, **options):
        sys.met.append((type(self).__name__, name, *[one for one in given if type(one) is str]))
        return answer(self, *given, **options)

    return noted


def _absent(value, name):
    raise AttributeError(name)


def _watched(base, asked=True):
    """What a class says that notes all that it is asked; `asked`: its attributes, too."""
    answers = {
        "__repr__": lambda value: "watched",
        "__str__": lambda value: "watched",
        "__format__": lambda value, how: "watched",
        "__dir__": lambda value: [],
        "__sizeof__": lambda value: 8,
        "__eq__": lambda value, other: value is other,
        "__ne__": lambda value, other: value is not other,
        "__lt__": lambda value, other: True,
        "__gt__": lambda value, other: True,
        "__hash__": lambda value: 1,
        "__bool__": lambda value: True,
        "__len__": getattr(base, "__len__", lambda value: 1),
        "__iter__": getattr(base, "__iter__", lambda value: iter(())),
        "__getitem__": getattr(base, "__getitem__", lambda value, key: 1),
        "__contains__": lambda value, one: False,
        "__call__": lambda value, *_: None,
    }
    if base is object:
        answers |= {
            "__index__": lambda value: 1,
            "__int__": lambda value: 1,
            "__float__": lambda value: 1.0,
            "__reversed__": lambda value: iter(()),
            "__length_hint__": lambda value: 0,
            "__enter__": lambda value: value,
            "__fspath__": lambda value: "x",
            "__sub__": lambda value, other: value,
            "__copy__": lambda value: value,
            "__deepcopy__": lambda value, memo: value,
        }
    if asked:
        answers |= {
            "__getattribute__": base.__getattribute__,
            "__getattr__": _absent,
            "__setattr__": base.__setattr__,
            "__delattr__": base.__delattr__,
        }
    said = {name: _noting(name, answer) for name, answer in answers.items()}
    return said | {name: property(_noting(name, lambda value: 3)) for name in NAMES}


Own = type("Own", (), _watched(object))
Properties = type("Properties", (), _watched(object, asked=False))
Dict = type("Dict", (dict,), _watched(dict))
List = type("List", (list,), _watched(list))
Tuple = type("Tuple", (tuple,), _watched(tuple))
Text = type("Text", (str,), _watched(str))
Number = type("Number", (float,), _watched(float))


class Settings:
    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        sys.met.append(("Settings", "__getattr__", name))
        setattr(self, name, Settings())
        return vars(self)[name]
