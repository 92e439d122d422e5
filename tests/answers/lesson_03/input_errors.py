"""Answers for `input_errors(tool, tool_input)`."""
# ruff: noqa

# %% given
from jsonschema import Draft202012Validator, ValidationError, validate

# %% right: a comprehension


def input_errors(tool, tool_input):
    validator = Draft202012Validator(tool["input_schema"])
    return [f"{error.json_path}: {error.message}" for error in validator.iter_errors(tool_input)]


# %% right: a loop, in the order of the paths


def input_errors(tool, tool_input):
    found = []
    for error in sorted(Draft202012Validator(tool["input_schema"]).iter_errors(tool_input), key=lambda e: e.json_path):
        found.append("At " + error.json_path + " " + error.message)
    return found


# %% right: sentences of its own for missing keys


def input_errors(tool, tool_input):
    sentences = []
    for error in Draft202012Validator(tool["input_schema"]).iter_errors(tool_input):
        if error.validator == "required":
            for key in error.validator_value:
                if key not in error.instance and f"{key} is missing" not in sentences:
                    sentences.append(f"{key} is missing")
        elif error.validator == "additionalProperties":
            sentences += [f"{key} is not known" for key in error.instance if key not in error.schema["properties"]]
        else:
            sentences.append(f"{error.json_path} does not fit: {error.message}")
    return sentences


# %% right: one string for all


def input_errors(tool, tool_input):
    errors = list(Draft202012Validator(tool["input_schema"]).iter_errors(tool_input))
    if not errors:
        return []
    return ["; ".join(f"{error.json_path} {error.message}" for error in errors)]


# %% right: a generator function, listed


def describe(schema, value):
    for error in Draft202012Validator(schema).iter_errors(value):
        yield error.json_path + " " + str(error.message)


def input_errors(tool, tool_input):
    return list(describe(tool["input_schema"], tool_input))


# %% wrong: the first only -> tells_the_path_of_every_wrong_value


def input_errors(tool, tool_input):
    for error in Draft202012Validator(tool["input_schema"]).iter_errors(tool_input):
        return [f"{error.json_path}: {error.message}"]
    return []


# %% wrong: validate and catch -> tells_the_path_of_every_wrong_value


def input_errors(tool, tool_input):
    try:
        validate(tool_input, tool["input_schema"])
    except ValidationError as error:
        return [f"{error.json_path}: {error.message}"]
    return []


# %% wrong: the messages without paths -> tells_the_path_of_every_wrong_value


def input_errors(tool, tool_input):
    return [error.message for error in Draft202012Validator(tool["input_schema"]).iter_errors(tool_input)]


# %% wrong: the last key of the path -> tells_the_path_of_every_wrong_value


def input_errors(tool, tool_input):
    errors = Draft202012Validator(tool["input_schema"]).iter_errors(tool_input)
    return [f"{list(error.path)[-1:]}: {error.message}" for error in errors]


# %% wrong: the errors themselves -> tells_the_path_of_every_wrong_value


def input_errors(tool, tool_input):
    return list(Draft202012Validator(tool["input_schema"]).iter_errors(tool_input))


# %% wrong: types by isinstance -> tells_the_path_of_every_wrong_value


def input_errors(tool, tool_input):
    schema = tool["input_schema"]
    types = {"string": str, "number": (int, float), "integer": int, "array": list, "object": dict, "boolean": bool}
    found = [f"{key} is missing" for key in schema.get("required", []) if key not in tool_input]
    for key, value in tool_input.items():
        if key not in schema["properties"]:
            if schema.get("additionalProperties", True) is False:
                found.append(f"{key} is not known")
        elif not isinstance(value, types.get(schema["properties"][key].get("type"), object)):
            found.append(f"$.{key} has a wrong type")
    return found


# %% wrong: raises -> tells_the_path_of_every_wrong_value


def input_errors(tool, tool_input):
    errors = [f"{e.json_path}: {e.message}" for e in Draft202012Validator(tool["input_schema"]).iter_errors(tool_input)]
    if errors:
        raise ValueError(errors)
    return []


# %% wrong: validates against the tool -> tells_the_path_of_every_wrong_value


def input_errors(tool, tool_input):
    return [f"{error.json_path}: {error.message}" for error in Draft202012Validator(tool).iter_errors(tool_input)]


# %% wrong: paths without names -> names_missing_and_extra_keys


def input_errors(tool, tool_input):
    errors = Draft202012Validator(tool["input_schema"]).iter_errors(tool_input)
    return [f"{error.json_path} breaks the rule {error.validator}" for error in errors]


# %% wrong: accepts extra keys -> names_missing_and_extra_keys


def input_errors(tool, tool_input):
    errors = Draft202012Validator(tool["input_schema"]).iter_errors(tool_input)
    return [f"{e.json_path}: {e.message}" for e in errors if e.validator != "additionalProperties"]


# %% wrong: a dict by path -> names_missing_and_extra_keys


def input_errors(tool, tool_input):
    errors = {e.json_path: e.message for e in Draft202012Validator(tool["input_schema"]).iter_errors(tool_input)}
    return [f"{path}: {message}" for path, message in errors.items()]


# %% wrong: rejects every extra key -> finds_nothing_wrong_in_valid_input


def input_errors(tool, tool_input):
    schema = {**tool["input_schema"], "additionalProperties": False}
    return [f"{error.json_path}: {error.message}" for error in Draft202012Validator(schema).iter_errors(tool_input)]


# %% wrong: every key is required -> finds_nothing_wrong_in_valid_input


def input_errors(tool, tool_input):
    schema = {**tool["input_schema"], "required": list(tool["input_schema"].get("properties", {}))}
    return [f"{error.json_path}: {error.message}" for error in Draft202012Validator(schema).iter_errors(tool_input)]


# %% wrong: None when all is well -> finds_nothing_wrong_in_valid_input


def input_errors(tool, tool_input):
    errors = [f"{e.json_path}: {e.message}" for e in Draft202012Validator(tool["input_schema"]).iter_errors(tool_input)]
    return errors or None


# %% wrong: a sentence when all is well -> finds_nothing_wrong_in_valid_input


def input_errors(tool, tool_input):
    errors = [f"{e.json_path}: {e.message}" for e in Draft202012Validator(tool["input_schema"]).iter_errors(tool_input)]
    return errors or ["no errors"]


# %% wrong: a validator of the whole tool -> finds_nothing_wrong_in_valid_input


def input_errors(tool, tool_input):
    found = []
    for error in Draft202012Validator(tool).iter_errors(tool_input):
        found.append(f"{error.json_path} {error.message}")
    return found


# %% wrong: one text for the list -> finds_nothing_wrong_in_valid_input


def input_errors(tool, tool_input):
    text = ""
    for error in Draft202012Validator(tool["input_schema"]).iter_errors(tool_input):
        text += f"{error.json_path} {error.message}\n"
    return text
