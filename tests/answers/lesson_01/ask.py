"""Answers for `ask(client, prompt)`."""
# ruff: noqa

# %% given
from autograder import MODEL

# %% right: the shortest


def ask(client, prompt):
    return client.messages.create(model=MODEL, max_tokens=1024, messages=[{"role": "user", "content": prompt}])


# %% right: content as a list of blocks


def ask(client, prompt):
    turn = {"role": "user", "content": [{"type": "text", "text": prompt}]}
    reply = client.messages.create(messages=[turn], max_tokens=256, model=MODEL)
    return reply


# %% right: keyword arguments from a dict, and a system prompt
request = {"model": MODEL, "max_tokens": 4096, "system": "Answer in one sentence."}


def ask(client, prompt):
    messages = []
    messages.append(dict(role="user", content=prompt))
    return client.messages.create(**request, messages=messages)


# %% right: a lambda
ask = lambda client, prompt: client.messages.create(
    model="claude-sonnet-5-5", max_tokens=16, messages=[{"role": "user", "content": prompt}]
)

# %% right: a stream, read to its end


def ask(client, prompt):
    with client.messages.stream(
        model=MODEL, max_tokens=1024, messages=[{"role": "user", "content": prompt}]
    ) as stream:
        return stream.get_final_message()


# %% right: an object with __call__, and every extra that is legal


class Desk:
    def __init__(self, **settings):
        self.settings = settings

    def __call__(self, client, prompt, *, cache={"type": "ephemeral"}):
        block = {"type": "text", "text": prompt, "cache_control": cache}
        return client.with_options(timeout=20, max_retries=0).messages.create(
            messages=({"role": "user", "content": [block]},), **self.settings
        )


ask = Desk(
    model=MODEL,
    max_tokens=4096,
    system=[{"type": "text", "text": "Be brief."}],
    metadata={"user_id": "u1"},
    stop_sequences=["END"],
    thinking={"type": "adaptive"},
    tools=[{"name": "get_order", "description": "Finds an order.", "input_schema": {"type": "object"}}],
    tool_choice={"type": "auto"},
)

# %% right: the raw response, parsed; partial
from functools import partial


def create(model, client, prompt, **more):
    turns = [{"role": "user", "content": prompt}]
    return client.messages.with_raw_response.create(model=model, max_tokens=9, messages=turns, **more).parse()


ask = partial(create, MODEL)

# %% right: the beta client, behind a decorator that keeps no signature


def patient(function):
    def tried(*arguments, **keywords):
        for last in (False, True):
            try:
                return function(*arguments, **keywords)
            except Exception:
                if last:
                    raise

    return tried


@patient
def ask(client, prompt):
    return client.beta.messages.create(model=MODEL, max_tokens=1, messages=[{"role": "user", "content": prompt}])


# %% wrong: temperature -> sends_one_request


def ask(client, prompt):
    return client.messages.create(
        model=MODEL, max_tokens=1024, temperature=0, messages=[{"role": "user", "content": prompt}]
    )


# %% wrong: no max_tokens -> sends_one_request


def ask(client, prompt):
    return client.messages.create(model=MODEL, messages=[{"role": "user", "content": prompt}])


# %% wrong: two requests -> sends_one_request


def ask(client, prompt):
    client.messages.create(model=MODEL, max_tokens=1, messages=[{"role": "user", "content": prompt}])
    return client.messages.create(model=MODEL, max_tokens=1024, messages=[{"role": "user", "content": prompt}])


# %% wrong: another model -> sends_one_request


def ask(client, prompt):
    return client.messages.create(
        model="claude-haiku-5-5", max_tokens=1024, messages=[{"role": "user", "content": prompt}]
    )


# %% wrong: a retired model -> sends_one_request


def ask(client, prompt):
    return client.messages.create(
        model="claude-3-haiku-20240307", max_tokens=1024, messages=[{"role": "user", "content": prompt}]
    )


# %% wrong: a system message as the first turn -> sends_the_prompt_as_the_only_turn


def ask(client, prompt):
    messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": prompt}]
    return client.messages.create(model=MODEL, max_tokens=1024, messages=messages)


# %% wrong: a changed prompt -> sends_the_prompt_as_the_only_turn


def ask(client, prompt):
    return client.messages.create(
        model=MODEL, max_tokens=1024, messages=[{"role": "user", "content": "Question: " + prompt.strip()}]
    )


# %% wrong: a strip -> sends_the_prompt_as_the_only_turn


def ask(client, prompt):
    return client.messages.create(model=MODEL, max_tokens=1024, messages=[{"role": "user", "content": prompt.strip()}])


# %% wrong: a history that grows -> sends_the_prompt_as_the_only_turn
history = []


def ask(client, prompt):
    history.append({"role": "user", "content": prompt})
    return client.messages.create(model=MODEL, max_tokens=1024, messages=history)


# %% wrong: a bare string as messages -> sends_the_prompt_as_the_only_turn


def ask(client, prompt):
    return client.messages.create(model=MODEL, max_tokens=1024, messages=prompt)


# %% wrong: returns the text -> returns_the_message


def ask(client, prompt):
    message = client.messages.create(model=MODEL, max_tokens=1024, messages=[{"role": "user", "content": prompt}])
    return "".join(block.text for block in message.content if block.type == "text")


# %% wrong: returns the content -> returns_the_message


def ask(client, prompt):
    return client.messages.create(
        model=MODEL, max_tokens=1024, messages=[{"role": "user", "content": prompt}]
    ).content


# %% wrong: returns a dict -> returns_the_message


def ask(client, prompt):
    return client.messages.create(
        model=MODEL, max_tokens=1024, messages=[{"role": "user", "content": prompt}]
    ).to_dict()


# %% wrong: prints instead of returning -> returns_the_message


def ask(client, prompt):
    message = client.messages.create(model=MODEL, max_tokens=1024, messages=[{"role": "user", "content": prompt}])
    print(message)


# %% wrong: no request at all -> sends_one_request


def ask(client, prompt):
    return "The order was sent on Monday."


# %% wrong: builds its own client -> sends_one_request


def ask(prompt):
    import anthropic

    return anthropic.Anthropic().messages.create(
        model=MODEL, max_tokens=1024, messages=[{"role": "user", "content": prompt}]
    )


# %% wrong: the prompt as system prompt -> sends_the_prompt_as_the_only_turn


def ask(client, prompt):
    return client.messages.create(
        model=MODEL, max_tokens=1024, system=prompt, messages=[{"role": "user", "content": "Answer."}]
    )


# %% wrong: begins the answer -> sends_the_prompt_as_the_only_turn


def ask(client, prompt):
    turns = [{"role": "user", "content": prompt}, {"role": "assistant", "content": "Dear customer,"}]
    return client.messages.create(model=MODEL, max_tokens=1024, messages=turns)


# %% wrong: swallows the refusal of a bad turn -> sends_the_prompt_as_the_only_turn


def ask(client, prompt):
    try:
        return client.messages.create(model=MODEL, max_tokens=1024, messages=[prompt])
    except Exception:
        return "Sorry, please try again."


# %% wrong: retries in a loop without an end -> sends_one_request


def ask(client, prompt):
    while True:
        message = client.messages.create(model=MODEL, max_tokens=1024, messages=[{"role": "user", "content": prompt}])
        if message.content[0].type == "text":
            return message


# %% wrong: returns a stream that nobody has read -> returns_the_message


def ask(client, prompt):
    return client.messages.create(
        model=MODEL, max_tokens=1024, messages=[{"role": "user", "content": prompt}], stream=True
    )


# %% wrong: names the method and does not call it -> sends_one_request


def ask(client, prompt):
    return client.messages.create
