"""Answers for `TOOLS`."""
# ruff: noqa

# %% right: one literal
TOOLS = [
    {
        "name": "get_order",
        "description": (
            "Look up one order by its number and return its state, its items and its dates. "
            "Use it for questions about an order that the customer has placed. "
            "For questions about the shop's rules, such as returns or delivery times, use search_help."
        ),
        "input_schema": {
            "type": "object",
            "properties": {"order_id": {"type": "string", "description": "The order's number, for example P-1001."}},
            "required": ["order_id"],
            "additionalProperties": False,
        },
    },
    {
        "name": "search_help",
        "description": (
            "Search the shop's help articles and return the best three. "
            "Use it for questions about rules that hold for everybody. "
            "It knows nothing of single orders: for those, use get_order."
        ),
        "input_schema": {
            "type": "object",
            "properties": {"query": {"type": "string", "description": "Two to six words."}},
            "required": ["query"],
            "additionalProperties": False,
        },
    },
]


# %% right: made by a function
def tool(name, description, key):
    return dict(
        name=name,
        description=description,
        input_schema=dict(type="object", properties={key: dict(type="string", minLength=2)}, required=[key]),
    )


TOOLS = [
    tool("search_help", "Finds help articles. Takes words, not order numbers! Is it about one order? Then get_order.", "query"),
    tool("get_order", "Finds one order. Takes its number, such as P-1001. For rules of the shop see search_help.", "order_id"),
]

# %% right: strict, with a pattern and an optional key
import json

TOOLS = json.loads("""[
  {"name": "get_order", "strict": true,
   "description": "Looks an order up.\\n- Use it when the customer asks about one order.\\n- Not for policies: they are in `search_help`.\\nIt changes nothing.",
   "input_schema": {"type": "object", "properties": {"order_id": {"type": "string", "pattern": "^P-[0-9]{4}$"}},
                    "required": ["order_id"], "additionalProperties": false}},
  {"name": "search_help",
   "description": "Searches the articles of the help centre. Use it for policies. Orders are not in there; (use get_order.) It finds at most ten.",
   "input_schema": {"type": "object", "properties": {"query": {"type": "string"}, "limit": {"type": "integer"}},
                    "required": ["query"]}}
]""")

# %% right: built step by step, a tuple for required
TOOLS = []
for name, key, text in (
    ("get_order", "order_id", "Returns one order. It needs the number. Policies: search_help."),
    ("search_help", "query", "Returns articles. It needs words. One order: get_order."),
):
    schema = {"type": "object", "required": (key,)}
    schema["properties"] = {key: {"type": "string"}}
    TOOLS.append({"name": name, "description": text, "input_schema": schema})

# %% given
GET = "Look up one order by its number. Use it for one order. For the rules of the shop use search_help."
SEARCH = "Search the help articles. Use it for the rules of the shop. For one order use get_order."


def schema(key, **changes):
    return {"type": "object", "properties": {key: {"type": "string"}}, "required": [key], **changes}


# %% wrong: no type object -> defines_two_tools_that_the_api_accepts
TOOLS = [
    {"name": "get_order", "description": GET, "input_schema": {"properties": {"order_id": {"type": "string"}}, "required": ["order_id"]}},
    {"name": "search_help", "description": SEARCH, "input_schema": schema("query")},
]

# %% wrong: the same name twice -> defines_two_tools_that_the_api_accepts
TOOLS = [
    {"name": "get_order", "description": GET, "input_schema": schema("order_id")},
    {"name": "get_order", "description": SEARCH, "input_schema": schema("query")},
]

# %% wrong: the schema is called parameters -> defines_two_tools_that_the_api_accepts
TOOLS = [
    {"name": "get_order", "description": GET, "parameters": schema("order_id")},
    {"name": "search_help", "description": SEARCH, "parameters": schema("query")},
]

# %% wrong: a type of Python -> defines_two_tools_that_the_api_accepts
TOOLS = [
    {"name": "get_order", "description": GET, "input_schema": schema("order_id", properties={"order_id": {"type": "str"}})},
    {"name": "search_help", "description": SEARCH, "input_schema": schema("query")},
]

# %% wrong: required beside the schema -> defines_two_tools_that_the_api_accepts
TOOLS = [
    {"name": "get_order", "description": GET, "input_schema": {"type": "object", "properties": {"order_id": {"type": "string"}}}, "required": ["order_id"]},
    {"name": "search_help", "description": SEARCH, "input_schema": schema("query")},
]

# %% wrong: a dict by name -> defines_two_tools_that_the_api_accepts
TOOLS = {
    "get_order": {"description": GET, "input_schema": schema("order_id")},
    "search_help": {"description": SEARCH, "input_schema": schema("query")},
}

# %% wrong: one tool only -> defines_two_tools_that_the_api_accepts
TOOLS = [{"name": "get_order", "description": GET, "input_schema": schema("order_id")}]

# %% wrong: functions for tools -> defines_two_tools_that_the_api_accepts
def get_order(order_id): ...
def search_help(query): ...


TOOLS = [get_order, search_help]

# %% wrong: a set for required -> defines_two_tools_that_the_api_accepts
TOOLS = [
    {"name": "get_order", "description": GET, "input_schema": schema("order_id", required={"order_id"})},
    {"name": "search_help", "description": SEARCH, "input_schema": schema("query")},
]

# %% wrong: nothing required -> requires_what_each_tool_needs
TOOLS = [
    {"name": "get_order", "description": GET, "input_schema": {"type": "object", "properties": {"order_id": {"type": "string"}}}},
    {"name": "search_help", "description": SEARCH, "input_schema": {"type": "object", "properties": {"query": {"type": "string"}}}},
]

# %% wrong: a number for the order -> requires_what_each_tool_needs
TOOLS = [
    {"name": "get_order", "description": GET, "input_schema": schema("order_id", properties={"order_id": {"type": "integer"}})},
    {"name": "search_help", "description": SEARCH, "input_schema": schema("query")},
]

# %% wrong: no type for the query -> requires_what_each_tool_needs
TOOLS = [
    {"name": "get_order", "description": GET, "input_schema": schema("order_id")},
    {"name": "search_help", "description": SEARCH, "input_schema": schema("query", properties={"query": {"description": "Words."}})},
]

# %% wrong: an optional key is required -> requires_what_each_tool_needs
TOOLS = [
    {"name": "get_order", "description": GET, "input_schema": schema("order_id")},
    {"name": "search_help", "description": SEARCH, "input_schema": schema("query", required=["query", "limit"])},
]

# %% wrong: short descriptions -> tells_the_two_tools_apart
TOOLS = [
    {"name": "get_order", "description": "Look up one order, not a rule: search_help.", "input_schema": schema("order_id")},
    {"name": "search_help", "description": "Search the help articles, not orders: get_order.", "input_schema": schema("query")},
]

# %% wrong: no description -> tells_the_two_tools_apart
TOOLS = [
    {"name": "get_order", "input_schema": schema("order_id")},
    {"name": "search_help", "input_schema": schema("query")},
]

# %% wrong: only one names the other -> tells_the_two_tools_apart
TOOLS = [
    {"name": "get_order", "description": GET, "input_schema": schema("order_id")},
    {"name": "search_help", "description": "Search the help articles. Use it for rules. It does not know orders.", "input_schema": schema("query")},
]

# %% wrong: each names itself -> tells_the_two_tools_apart
TOOLS = [
    {"name": "get_order", "description": "This is get_order. It looks up one order. It does nothing else.", "input_schema": schema("order_id")},
    {"name": "search_help", "description": "This is search_help. It looks up articles. It does nothing else.", "input_schema": schema("query")},
]

# %% wrong: required is True in a property -> defines_two_tools_that_the_api_accepts
TOOLS = [
    {"name": "get_order", "description": GET, "input_schema": {"type": "object", "properties": {"order_id": {"type": "string", "required": True}}}},
    {"name": "search_help", "description": SEARCH, "input_schema": schema("query")},
]
