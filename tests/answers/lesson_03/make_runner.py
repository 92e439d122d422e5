"""Answers for `make_runner(functions, tools)`."""
# ruff: noqa

# %% given
from jsonschema import Draft202012Validator

from autograder import InvalidInput, UnknownTool


def input_errors(tool, tool_input):
    validator = Draft202012Validator(tool["input_schema"])
    return [f"{error.json_path}: {error.message}" for error in validator.iter_errors(tool_input)]


# %% right: a closure


def make_runner(functions, tools):
    definitions = {tool["name"]: tool for tool in tools}

    def run_tool(name, tool_input):
        if name not in definitions or name not in functions:
            raise UnknownTool(name)
        errors = input_errors(definitions[name], tool_input)
        if errors:
            raise InvalidInput(errors)
        return functions[name](**tool_input)

    return run_tool


# %% right: a class with __call__


class Runner:
    def __init__(self, functions, tools):
        self.functions = functions
        self.tools = tools

    def __call__(self, name, tool_input):
        found = [tool for tool in self.tools if tool["name"] == name]
        function = self.functions.get(name)
        if not found or function is None:
            raise UnknownTool(name)
        if errors := input_errors(found[0], tool_input):
            raise InvalidInput(errors)
        return function(**tool_input)


def make_runner(functions, tools):
    return Runner(functions, tools)


# %% right: partial of a function
from functools import partial


def run(functions, tools, name, tool_input):
    tool = next((tool for tool in tools if tool["name"] == name), None)
    if tool is None:
        raise UnknownTool(name)
    if name not in functions:
        raise UnknownTool(name)
    problems = input_errors(tool, tool_input)
    if len(problems) > 0:
        raise InvalidInput(problems)
    result = functions[name](**tool_input)
    return result


def make_runner(functions, tools):
    return partial(run, functions, tools)


# %% right: look-ups in a try of their own


def make_runner(functions, tools):
    pairs = {tool["name"]: (tool, functions.get(tool["name"])) for tool in tools}

    def run_tool(tool_name, arguments):
        try:
            tool, function = pairs[tool_name]
        except KeyError:
            raise UnknownTool(tool_name) from None
        if function is None:
            raise UnknownTool(tool_name)
        errors = input_errors(tool, arguments)
        if not errors:
            return function(**arguments)
        raise InvalidInput(errors)

    return run_tool


# %% wrong: no validation -> runs_nothing_on_invalid_input


def make_runner(functions, tools):
    names = {tool["name"] for tool in tools}

    def run_tool(name, tool_input):
        if name not in names or name not in functions:
            raise UnknownTool(name)
        return functions[name](**tool_input)

    return run_tool


# %% wrong: validates afterwards -> runs_nothing_on_invalid_input


def make_runner(functions, tools):
    definitions = {tool["name"]: tool for tool in tools}

    def run_tool(name, tool_input):
        if name not in definitions or name not in functions:
            raise UnknownTool(name)
        result = functions[name](**tool_input)
        if errors := input_errors(definitions[name], tool_input):
            raise InvalidInput(errors)
        return result

    return run_tool


# %% wrong: returns the errors -> runs_nothing_on_invalid_input


def make_runner(functions, tools):
    definitions = {tool["name"]: tool for tool in tools}

    def run_tool(name, tool_input):
        if name not in definitions or name not in functions:
            raise UnknownTool(name)
        if errors := input_errors(definitions[name], tool_input):
            return "; ".join(errors)
        return functions[name](**tool_input)

    return run_tool


# %% wrong: InvalidInput of one text -> runs_nothing_on_invalid_input


def make_runner(functions, tools):
    definitions = {tool["name"]: tool for tool in tools}

    def run_tool(name, tool_input):
        if name not in definitions or name not in functions:
            raise UnknownTool(name)
        if errors := input_errors(definitions[name], tool_input):
            raise InvalidInput("; ".join(errors))
        return functions[name](**tool_input)

    return run_tool


# %% wrong: raises ValueError -> runs_nothing_on_invalid_input


def make_runner(functions, tools):
    definitions = {tool["name"]: tool for tool in tools}

    def run_tool(name, tool_input):
        if name not in definitions or name not in functions:
            raise UnknownTool(name)
        if errors := input_errors(definitions[name], tool_input):
            raise ValueError(errors)
        return functions[name](**tool_input)

    return run_tool


# %% wrong: swallows the function's errors -> lets_the_functions_own_errors_rise


def make_runner(functions, tools):
    definitions = {tool["name"]: tool for tool in tools}

    def run_tool(name, tool_input):
        if name not in definitions or name not in functions:
            raise UnknownTool(name)
        if errors := input_errors(definitions[name], tool_input):
            raise InvalidInput(errors)
        try:
            return functions[name](**tool_input)
        except Exception as error:
            return f"Error: {error}"

    return run_tool


# %% wrong: a KeyError becomes UnknownTool -> lets_the_functions_own_errors_rise


def make_runner(functions, tools):
    definitions = {tool["name"]: tool for tool in tools}

    def run_tool(name, tool_input):
        try:
            if errors := input_errors(definitions[name], tool_input):
                raise InvalidInput(errors)
            return functions[name](**tool_input)
        except KeyError:
            raise UnknownTool(name)

    return run_tool


# %% wrong: a TypeError becomes InvalidInput -> lets_the_functions_own_errors_rise


def make_runner(functions, tools):
    definitions = {tool["name"]: tool for tool in tools}

    def run_tool(name, tool_input):
        if name not in definitions or name not in functions:
            raise UnknownTool(name)
        if errors := input_errors(definitions[name], tool_input):
            raise InvalidInput(errors)
        try:
            return functions[name](**tool_input)
        except TypeError as error:
            raise InvalidInput([str(error)])

    return run_tool


# %% wrong: wraps the error -> lets_the_functions_own_errors_rise


def make_runner(functions, tools):
    definitions = {tool["name"]: tool for tool in tools}

    def run_tool(name, tool_input):
        if name not in definitions or name not in functions:
            raise UnknownTool(name)
        if errors := input_errors(definitions[name], tool_input):
            raise InvalidInput(errors)
        try:
            return functions[name](**tool_input)
        except Exception as error:
            raise RuntimeError(f"{name} failed") from error

    return run_tool


# %% wrong: the dict as one argument -> runs_the_function_with_the_input


def make_runner(functions, tools):
    definitions = {tool["name"]: tool for tool in tools}

    def run_tool(name, tool_input):
        if name not in definitions or name not in functions:
            raise UnknownTool(name)
        if errors := input_errors(definitions[name], tool_input):
            raise InvalidInput(errors)
        return functions[name](tool_input)

    return run_tool


# %% wrong: the values by position -> runs_the_function_with_the_input


def make_runner(functions, tools):
    definitions = {tool["name"]: tool for tool in tools}

    def run_tool(name, tool_input):
        if name not in definitions or name not in functions:
            raise UnknownTool(name)
        if errors := input_errors(definitions[name], tool_input):
            raise InvalidInput(errors)
        return functions[name](*tool_input.values())

    return run_tool


# %% wrong: a word for an empty result -> runs_the_function_with_the_input


def make_runner(functions, tools):
    definitions = {tool["name"]: tool for tool in tools}

    def run_tool(name, tool_input):
        if name not in definitions or name not in functions:
            raise UnknownTool(name)
        if errors := input_errors(definitions[name], tool_input):
            raise InvalidInput(errors)
        return functions[name](**tool_input) or "no result"

    return run_tool


# %% wrong: global variables -> runs_the_function_with_the_input
FUNCTIONS, DEFINITIONS = {}, {}


def run_tool(name, tool_input):
    if name not in DEFINITIONS or name not in FUNCTIONS:
        raise UnknownTool(name)
    if errors := input_errors(DEFINITIONS[name], tool_input):
        raise InvalidInput(errors)
    return FUNCTIONS[name](**tool_input)


def make_runner(functions, tools):
    global FUNCTIONS, DEFINITIONS
    FUNCTIONS, DEFINITIONS = functions, {tool["name"]: tool for tool in tools}
    return run_tool


# %% wrong: returns nothing -> runs_the_function_with_the_input


def make_runner(functions, tools):
    def run_tool(name, tool_input):
        return functions[name](**tool_input)


# %% wrong: calls run_tool -> runs_the_function_with_the_input


def make_runner(functions, tools):
    def run_tool(name="", tool_input={}):
        return "no tool"

    return run_tool()


# %% wrong: forgets the result -> runs_the_function_with_the_input


def make_runner(functions, tools):
    definitions = {tool["name"]: tool for tool in tools}

    def run_tool(name, tool_input):
        if name not in definitions or name not in functions:
            raise UnknownTool(name)
        if errors := input_errors(definitions[name], tool_input):
            raise InvalidInput(errors)
        functions[name](**tool_input)

    return run_tool


# %% wrong: a KeyError for an unknown name -> tells_of_unknown_tools


def make_runner(functions, tools):
    definitions = {tool["name"]: tool for tool in tools}

    def run_tool(name, tool_input):
        if errors := input_errors(definitions[name], tool_input):
            raise InvalidInput(errors)
        return functions[name](**tool_input)

    return run_tool


# %% wrong: runs what has no definition -> tells_of_unknown_tools


def make_runner(functions, tools):
    definitions = {tool["name"]: tool for tool in tools}

    def run_tool(name, tool_input):
        if name not in functions:
            raise UnknownTool(name)
        if name in definitions:
            if errors := input_errors(definitions[name], tool_input):
                raise InvalidInput(errors)
        return functions[name](**tool_input)

    return run_tool


# %% wrong: a text for an unknown name -> tells_of_unknown_tools


def make_runner(functions, tools):
    definitions = {tool["name"]: tool for tool in tools}

    def run_tool(name, tool_input):
        if name not in definitions or name not in functions:
            return f"There is no tool {name}."
        if errors := input_errors(definitions[name], tool_input):
            raise InvalidInput(errors)
        return functions[name](**tool_input)

    return run_tool


# %% wrong: a sentence for the name -> tells_of_unknown_tools


def make_runner(functions, tools):
    definitions = {tool["name"]: tool for tool in tools}

    def run_tool(name, tool_input):
        if name not in definitions or name not in functions:
            raise UnknownTool(f"there is no tool {name}")
        if errors := input_errors(definitions[name], tool_input):
            raise InvalidInput(errors)
        return functions[name](**tool_input)

    return run_tool


# %% wrong: calls run_tool in the outer function -> runs_the_function_with_the_input


def make_runner(functions, tools):
    def run_tool(name, tool_input):
        return functions[name](**tool_input)

    return run_tool(name, tool_input)


# %% wrong: looks for the name in the list -> tells_of_unknown_tools


def make_runner(functions, tools):
    def run_tool(name, tool_input):
        if name not in tools or name not in functions:
            raise UnknownTool(name)
        return functions[name](**tool_input)

    return run_tool


# %% wrong: a list, and a call that has to run -> runs_the_function_with_the_input


def make_runner(functions, tools):
    def run_tool(name, tool_input):
        if name not in tools or name not in functions:
            raise UnknownTool(name)
        return functions[name](**tool_input)

    return run_tool


# %% wrong: a list, and errors that have to rise -> lets_the_functions_own_errors_rise


def make_runner(functions, tools):
    def run_tool(name, tool_input):
        if name not in tools or name not in functions:
            raise UnknownTool(name)
        return functions[name](**tool_input)

    return run_tool


# %% wrong: the global TOOLS -> tells_of_unknown_tools
TOOLS = [{"name": name, "input_schema": {"type": "object"}} for name in ("get_order", "search_help")]


def make_runner(functions, tools):
    definitions = {tool["name"]: tool for tool in TOOLS}

    def run_tool(name, tool_input):
        if name not in definitions or name not in functions:
            raise UnknownTool(name)
        if errors := input_errors(definitions[name], tool_input):
            raise InvalidInput(errors)
        return functions[name](**tool_input)

    return run_tool
