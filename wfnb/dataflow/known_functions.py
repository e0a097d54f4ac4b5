"""What is known of functions and methods by their names alone: data of the analysis, no code.

A name stands in a table only where all well-known types that have it agree. Where they do not,
it stands in none, and the object counts as passed to unknown code.
"""

import re


def words(text: str) -> frozenset[str]:
    """
    >>> sorted(words("pop append"))
    ['append', 'pop']
    """
    return frozenset(text.split())


# Names that give code a way to every other name.
OPAQUE_NAMES = words("exec eval globals")
# The same, but inside a function they show that function's own names alone.
OPAQUE_AT_TOP = words("locals")

# What gives a module by a text, and what gives an attribute of one by a text or as a whole.
LOADERS = words("__import__ import_module modules resolve_name locate")
LOOKUPS = words(
    """
    getattr attrgetter methodcaller __getattribute__ __getattr__ vars __dict__ dir getmembers format
    format_map
    """
)

_SEQUENCES = """
append appendleft extend extendleft insert pop popleft popitem remove clear sort reverse
update setdefault discard intersection_update difference_update symmetric_difference_update
move_to_end set __setitem__ __delitem__ __setattr__ __delattr__ __iadd__ __ior__ __isub__
fromlist frombytes fromfile
"""
_ARRAYS = "fill put setflags itemset setfield"
_MODELS = """
fit partial_fit fit_transform fit_predict fit_resample set_params load_state_dict zero_grad
backward requires_grad_ compile_model
"""
_STREAMS = """
write writelines seek read readline readlines readinto close flush
send throw asend athrow aclose __next__ __anext__ put_nowait get_nowait
fetchone fetchmany fetchall
"""
_GENERATORS = """
seed shuffle random normal standard_normal uniform randint randrange randbytes getrandbits
integers random_integers random_sample rand randn choice choices gauss normalvariate
lognormal lognormvariate expovariate betavariate gammavariate triangular vonmises vonmisesvariate
paretovariate weibullvariate permutation permuted binomial negative_binomial poisson exponential
standard_exponential standard_gamma standard_cauchy standard_t multivariate_normal multinomial
dirichlet geometric hypergeometric logseries noncentral_chisquare rayleigh laplace gumbel
bytes setstate set_state manual_seed jumped spawn
"""

# Their names do not show it: of figures and axes, of pictures and of trees of tags.
_DRAWINGS = """
grid invert_xaxis invert_yaxis tick_params ticklabel_format locator_params minorticks_on
minorticks_off suptitle supxlabel supylabel subplots_adjust tight_layout margins autoscale
autoscale_view relim twinx twiny legend axis cla clf delaxes add_subplot add_axes autofmt_xdate
align_labels align_xlabels align_ylabels view_init putpixel putdata putalpha paste thumbnail
decompose
"""
_TREES = "replace_with insert_before insert_after add_artist"

# Drawing from a random generator changes it.
GENERATOR_METHODS = words(_GENERATORS)
MUTATING_METHODS = (
    words(_SEQUENCES + _ARRAYS + _MODELS + _STREAMS + _DRAWINGS + _TREES) | GENERATOR_METHODS
)
# Of these, the methods that change their object return nothing: where the result is used, it is
# another type's method (`frame.add`, `image.resize`), which returns something new.
MUTATING_IF_UNUSED = words("add subtract rotate resize partition truncate extract")
# Methods that change their object and leave their arguments alone; those of a container keep them.
ARGUMENTS_UNTOUCHED = words(_ARRAYS + _MODELS + _STREAMS + _DRAWINGS) | (
    GENERATOR_METHODS - {"shuffle"}
)

_TEXT_METHODS = """
capitalize casefold center count encode decode endswith startswith expandtabs find rfind format
format_map index rindex isalnum isalpha isascii isdecimal isdigit isidentifier islower isnumeric
isprintable isspace istitle isupper join ljust rjust lower upper lstrip rstrip strip partition
rpartition removeprefix removesuffix replace split rsplit splitlines swapcase title translate
zfill hex fromhex as_integer_ratio bit_length bit_count conjugate is_integer to_bytes from_bytes
match fullmatch search findall finditer sub subn group groups groupdict span start end
isoformat strftime strptime date time weekday isoweekday timestamp total_seconds astimezone
"""
_CONTAINER_METHODS = """
copy get items keys values union intersection difference symmetric_difference issubset issuperset
isdisjoint most_common elements total __getitem__ __len__ __contains__ __repr__ __str__ __eq__
exists is_file is_dir iterdir glob rglob joinpath with_suffix with_name resolve absolute
relative_to read_text read_bytes as_posix expanduser stat
"""
_ARRAY_METHODS = """
mean sum std var min max argmin argmax all any prod cumsum cumprod cummax cummin ptp clip round
astype tolist item reshape ravel flatten transpose swapaxes squeeze repeat take compress
diagonal trace dot argsort argpartition searchsorted nonzero choose tobytes view conj
numpy detach cpu dim size numel float double long int bool half matmul mm bmm softmax sigmoid relu
argmax unsqueeze permute expand norm abs sqrt exp log pow
"""
_FRAME_METHODS = """
head tail describe info groupby pivot pivot_table melt merge sample nlargest nsmallest
value_counts nunique unique median mode quantile sem skew kurt kurtosis corr cov corrwith diff
pct_change rank shift rolling expanding ewm resample isna isnull notna notnull fillna dropna
drop_duplicates duplicated drop rename reset_index set_index sort_values sort_index reindex
reindex_like set_axis add_prefix add_suffix assign filter query where mask isin between clip
astype select_dtypes to_dict to_numpy to_list to_frame to_string to_markdown to_html to_latex
to_json to_csv to_parquet to_excel to_pickle to_feather to_sql to_records to_period to_timestamp
to_datetime stack unstack explode squeeze iterrows itertuples iteritems xs at_time
between_time first last nth ngroup cumcount size memory_usage equals compare combine_first
interpolate ffill bfill replace idxmax idxmin plot hist boxplot scatter bar barh line area pie kde
truncate tz_localize tz_convert normalize floor ceil day_name month_name contains extract
extractall get_dummies cat len slice sub mul div truediv floordiv mod radd rsub rmul rdiv
eq ne lt le gt ge dot droplevel swaplevel transpose infer_objects convert_dtypes crosstab
get_group collect lazy select with_columns group_by sort_by glimpse
"""
_MODEL_METHODS = """
predict predict_proba predict_log_proba decision_function score transform inverse_transform
get_params kneighbors get_feature_names_out state_dict parameters named_parameters
"""
PURE_METHODS = (
    words(_TEXT_METHODS + _CONTAINER_METHODS + _ARRAY_METHODS + _FRAME_METHODS + _MODEL_METHODS)
    - MUTATING_METHODS
    - MUTATING_IF_UNUSED
)
_SETS = re.compile("set(_|[A-Z])")


def is_setter(method: str) -> bool:
    """Whether a method of this name changes its object: by a table, or as setters are called by
    custom; those of pandas that give a new frame are in the other table.

    >>> [is_setter(name) for name in ("append", "set_title", "setLevel", "set_index", "settle")]
    [True, True, True, False, False]
    """
    return method in MUTATING_METHODS or (bool(_SETS.match(method)) and method not in PURE_METHODS)


# They call what they are called with on parts of their object.
CALLING_METHODS = words(
    """
    apply map applymap agg aggregate transform pipe filter assign groupby sort_values
    """
)

PURE_FUNCTIONS = words(
    """
    print len sum min max sorted range abs round str int float bool complex repr isinstance
    issubclass type list dict set tuple frozenset zip enumerate any all reversed iter hash
    id callable hasattr getattr chr ord format ascii bin hex oct pow divmod bytes bytearray
    memoryview slice dir help input open display super map filter copy deepcopy reduce
    pprint Counter OrderedDict deque defaultdict namedtuple Path Decimal Fraction date
    datetime timedelta sqrt floor ceil log log2 log10 exp sin cos tan mean median stdev
    variance mode prod isnan isclose DataFrame Series Index array asarray zeros ones arange
    linspace concat merge read_csv to_datetime get_dummies HTML Markdown Image SVG JSON
    Latex Javascript train_test_split cross_val_score cross_val_predict cross_validate
    accuracy_score f1_score precision_score recall_score roc_auc_score roc_curve auc
    confusion_matrix classification_report mean_squared_error mean_absolute_error r2_score
    log_loss silhouette_score chain product permutations combinations accumulate islice
    repeat cycle takewhile dropwhile starmap pairwise batched namedtuple itemgetter
    attrgetter tqdm trange
    """
)
# They call what they are given on the elements of the other arguments: first, or as `key=`.
CALLING_FUNCTIONS = words("map filter reduce starmap takewhile dropwhile")
KEYED_FUNCTIONS = words("sorted min max")
# What iterates over their arguments gets the elements of these.
ITERATING_FUNCTIONS = words(
    """
    enumerate zip reversed sorted list tuple iter set tqdm islice chain next copy deque
    dict frozenset map filter split array_split hsplit vsplit dsplit broadcast_arrays unstack
    """
)
# A new object that holds what it is called with.
HOLDING_FUNCTIONS = words(
    """
    dict list tuple set frozenset deque zip iter reversed enumerate OrderedDict
    """
)
# Functions and methods whose result is a part of the object.
PART_FUNCTIONS = words("getattr next anext vars iter max min")
PART_METHODS = words(
    """
    get setdefault __getitem__ get_group
    reshape ravel view squeeze swapaxes transpose diagonal to_numpy
    unsqueeze expand permute detach numpy
    gca get_axes get_figure get_legend get_xaxis get_yaxis get_children get_lines get_patches
    get_texts get_frame get_xticklabels get_yticklabels get_xgridlines get_ygridlines twinx twiny
    add_subplot add_axes
    """
)
# Functions of modules whose result is a part of an argument, or lies in its memory if it can.
VIEW_FUNCTIONS = words(
    """
    asarray asanyarray ascontiguousarray asfortranarray ravel reshape squeeze transpose swapaxes
    moveaxis rollaxis expand_dims atleast_1d atleast_2d atleast_3d diagonal broadcast_to flip
    fliplr flipud rot90 as_strided sliding_window_view frombuffer from_numpy as_tensor memoryview
    einsum choice
    """
)
ITERATING_METHODS = words(
    """
    items values iterrows itertuples parameters named_parameters children modules
    """
)

# Functions that change an argument, by their last name: which one.
MUTATING_FUNCTIONS = {
    "heappush": 0,
    "heappop": 0,
    "heapify": 0,
    "heapreplace": 0,
    "heappushpop": 0,
    "insort": 0,
    "insort_left": 0,
    "insort_right": 0,
    "copyto": 0,
    "putmask": 0,
    "fill_diagonal": 0,
    "put_along_axis": 0,
    "setattr": 0,
    "delattr": 0,
    "next": 0,
    "anext": 0,
    "setitem": 0,
    "delitem": 0,
    "iadd": 0,
    "iand": 0,
    "iconcat": 0,
    "ifloordiv": 0,
    "ilshift": 0,
    "imatmul": 0,
    "imod": 0,
    "imul": 0,
    "ior": 0,
    "ipow": 0,
    "irshift": 0,
    "isub": 0,
    "itruediv": 0,
    "ixor": 0,
    "setp": 0,
    "shuffle": 0,
    "SubElement": 0,
    "update_wrapper": 0,
}
# The same for names that other objects have as methods: only as a function of a module. Most of
# NumPy's take the array that they fill after the others, where they do not call it `out`.
_FILLS_SECOND = words(
    """
    abs absolute acos acosh arccos arccosh arcsin arcsinh arctan arctanh asin asinh atan atanh
    bitwise_count bitwise_invert bitwise_not cbrt ceil conj conjugate cos cosh deg2rad degrees exp
    exp2 expm1 fabs fix floor frexp invert isfinite isinf isnan isnat isneginf isposinf log log10
    log1p log2 logical_not modf negative positive rad2deg radians reciprocal rint sign signbit sin
    sinh spacing sqrt square tan tanh trunc
    """
)
_FILLS_THIRD = words(
    """
    add all amax amin any arctan2 argmax argmin around atan2 bitwise_and bitwise_left_shift
    bitwise_or bitwise_right_shift bitwise_xor choose concat concatenate copysign divide divmod dot
    equal float_power floor_divide fmax fmin fmod gcd greater greater_equal heaviside hypot lcm
    ldexp left_shift less less_equal logaddexp logaddexp2 logical_and logical_or logical_xor matmul
    matvec max maximum median min minimum mod multiply nanargmax nanargmin nanmax nanmedian nanmin
    nextafter not_equal outer pow power ptp remainder right_shift round stack subtract true_divide
    vecdot vecmat
    """
)
_FILLS_FOURTH = words(
    """
    clip compress cumprod cumsum mean nancumprod nancumsum nanmean nanpercentile nanprod
    nanquantile nanstd nansum nanvar percentile prod quantile std sum take var
    """
)
MUTATING_MODULE_FUNCTIONS = {
    **dict.fromkeys(("put", "place", "at"), 0),
    **dict.fromkeys(_FILLS_SECOND, 1),
    **dict.fromkeys(_FILLS_THIRD, 2),
    **dict.fromkeys(_FILLS_FOURTH, 3),
    "trace": 5,
}

# What notebooks call their modules. A function of one leaves its arguments alone unless it
# stands in a table above; a method's table does not apply to it.
PURE_MODULES = words(
    """
    np numpy math cmath statistics pd pandas pl polars plt matplotlib sns seaborn px alt
    json re os sys time datetime itertools functools collections string textwrap copy pprint
    hashlib scipy sp random heapq bisect operator decimal fractions pathlib shutil glob csv
    io pickle joblib yaml warnings logging calendar types inspect base64 zlib gzip struct
    uuid platform secrets
    """
)
MODULES = PURE_MODULES | words(
    """
    torch nn F tf keras jax jnp sklearn sm smf st xgb lgb cv2 skimage nx requests subprocess
    threading asyncio contextlib dataclasses typing ast dis gc traceback init
    """
)
# Context managers that let every exception through, by their last name.
TRANSPARENT_CONTEXTS = words(
    """
    open catch_warnings errstate printoptions option_context no_grad inference_mode
    enable_grad autocast device TemporaryDirectory NamedTemporaryFile TemporaryFile
    SpooledTemporaryFile ZipFile TarFile ExcelWriter ExcelFile HDFStore Lock RLock Semaphore
    Condition Pool ThreadPoolExecutor ProcessPoolExecutor redirect_stdout redirect_stderr
    chdir closing nullcontext localcontext style_context rc_context axes_style
    plotting_context tqdm urlopen connect cursor scandir Session Client stream
    set_start_method StringIO BytesIO Path GradientTape strategy scope Output profile
    Progress Live
    """
)

# Standing alone, they set nothing of the process: they write, show or wait.
HARMLESS_IF_UNUSED = PURE_METHODS | words("sleep show makedirs mkdir savefig save dump")
# The same of functions of modules, as functions of the notebook use them.
HARMLESS_IN_FUNCTIONS = (
    HARMLESS_IF_UNUSED
    | PURE_FUNCTIONS
    | GENERATOR_METHODS
    | (MUTATING_FUNCTIONS.keys() - {"setattr", "delattr"})
    | words(
        _STREAMS
        + """
        debug info warning warn error exception critical log collect run call check_call
        savetxt savez savez_compressed imwrite imsave urlretrieve remove unlink rename replace rmdir
        rmtree removedirs copy2 copyfile copytree move touch wait gather
        """
    )
)
# Names of functions of modules that set something of the process, whatever they give.
SETTER = re.compile(
    r"(re|un)?set(?!$)|init|(basic|dict|file)config|simplefilter|filterwarnings|capturewarnings|"
    r"(.*_)?(seed|(un)?register|install|(en|dis)able|(de)?activate|configure|use|umask|signal|login)"
    r"(_|$)",
    re.IGNORECASE,
)

# They set an attribute of what they are given first.
ATTRIBUTE_SETTERS = words("setattr delattr __setattr__ __delattr__")

# Decorators that neither call the function nor hand it to code that would.
DEFERRING_DECORATORS = words(
    """
    property staticmethod classmethod cached_property lru_cache cache wraps dataclass
    overload abstractmethod contextmanager asynccontextmanager singledispatch
    singledispatchmethod total_ordering final override no_type_check runtime_checkable njit
    jit vectorize setter getter deleter
    """
)

_FROM_ELSEWHERE = words(
    """
    read readline readlines read_text read_bytes read_csv readinto fetchone fetchmany fetchall
    get_nowait exists is_file is_dir iterdir glob rglob stat resolve absolute open input collect
    fromfile __next__ __anext__ send asend
    """
)
SEEN_FUNCTIONS = (
    PURE_FUNCTIONS
    | PURE_METHODS
    | MUTATING_METHODS
    | MUTATING_FUNCTIONS.keys()
    | DEFERRING_DECORATORS
    | {"object", "Exception", "ValueError", "KeyError", "TypeError", "RuntimeError", "getenv"}
) - _FROM_ELSEWHERE
"""What gives the same again from the same: it gets nothing from elsewhere that is not noted, as the
environment is."""
