"""Answers for `total_input_tokens(usage)`."""
# ruff: noqa

# %% right: or 0


def total_input_tokens(usage):
    return usage.input_tokens + (usage.cache_creation_input_tokens or 0) + (usage.cache_read_input_tokens or 0)


# %% right: a sum


def total_input_tokens(usage):
    parts = [usage.input_tokens, usage.cache_creation_input_tokens, usage.cache_read_input_tokens]
    return sum(part for part in parts if part is not None)


# %% right: a loop over names


def total_input_tokens(usage):
    total = 0
    for name in ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"):
        value = getattr(usage, name)
        if value is None:
            value = 0
        total = total + value
    return total


# %% right: goes over the fields of usage


def total_input_tokens(usage):
    return sum(value or 0 for name, value in usage if name.endswith("input_tokens"))


# %% right: through model_dump


def total_input_tokens(usage):
    counts = usage.model_dump(exclude_none=True)
    return counts["input_tokens"] + sum(counts.get(f"cache_{what}_input_tokens", 0) for what in ("creation", "read"))


# %% wrong: input_tokens only -> adds_cached_tokens


def total_input_tokens(usage):
    return usage.input_tokens


# %% wrong: dies on None -> counts_none_as_zero


def total_input_tokens(usage):
    return usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens


# %% wrong: forgets what was written -> adds_cached_tokens


def total_input_tokens(usage):
    return usage.input_tokens + (usage.cache_read_input_tokens or 0)


# %% wrong: forgets what was read -> adds_cached_tokens


def total_input_tokens(usage):
    return usage.input_tokens + (usage.cache_creation_input_tokens or 0)


# %% wrong: adds output -> adds_cached_tokens


def total_input_tokens(usage):
    cached = (usage.cache_creation_input_tokens or 0) + (usage.cache_read_input_tokens or 0)
    return usage.input_tokens + cached + usage.output_tokens


# %% wrong: counts the writing twice -> adds_cached_tokens


def total_input_tokens(usage):
    total = usage.input_tokens + (usage.cache_creation_input_tokens or 0) + (usage.cache_read_input_tokens or 0)
    return total + usage.cache_creation.ephemeral_5m_input_tokens


# %% wrong: None when a part is missing -> counts_none_as_zero


def total_input_tokens(usage):
    parts = [usage.input_tokens, usage.cache_creation_input_tokens, usage.cache_read_input_tokens]
    return None if None in parts else sum(parts)


# %% wrong: gives up the cache when one is None -> counts_none_as_zero


def total_input_tokens(usage):
    try:
        return usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens
    except TypeError:
        return usage.input_tokens


# %% wrong: text -> adds_cached_tokens


def total_input_tokens(usage):
    total = usage.input_tokens + (usage.cache_creation_input_tokens or 0) + (usage.cache_read_input_tokens or 0)
    return str(total)


# %% wrong: the larger of the two -> adds_cached_tokens


def total_input_tokens(usage):
    return usage.input_tokens + max(usage.cache_creation_input_tokens or 0, usage.cache_read_input_tokens or 0)


# %% wrong: a float -> adds_cached_tokens


def total_input_tokens(usage):
    cached = (usage.cache_creation_input_tokens or 0) + (usage.cache_read_input_tokens or 0)
    return float(usage.input_tokens + cached)
