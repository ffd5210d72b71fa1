"""Writes messages as texts by a model's chat template, for the programs' ``--chat-template``.

``python -m plastiscope.chat`` reads requests, a template and then lists of messages, as lines of JSON, and answers each
with a line. Templates see what transformers shows them, in a sandbox.
"""

from __future__ import annotations

import datetime
import json
import sys
from pathlib import Path
from typing import Any, NoReturn

import jinja2
from jinja2 import nodes
from jinja2.ext import Extension, loopcontrols
from jinja2.sandbox import ImmutableSandboxedEnvironment

_ROLES = {"human": "user", "gpt": "assistant"}  # of conversations with "from" and "value"


class _Generation(Extension):
    """``{% generation %}``, which marks replies of the model: its content stays as it is."""

    tags = {"generation"}

    def parse(self, parser: Any) -> nodes.Node:
        line = next(parser.stream).lineno
        body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
        return nodes.CallBlock(self.call_method("_content"), [], [], body).set_lineno(line)

    def _content(self, caller: Any) -> Any:
        return caller()


def _raise(message: str) -> NoReturn:
    raise jinja2.TemplateError(message)


def _compiled(source: str | None) -> jinja2.Template:
    if not source:
        raise LookupError("expected chat_template.jinja, or chat_template in the tokenizer's settings, found none")
    if [int(part) for part in jinja2.__version__.split(".")[:3]] < [3, 1, 6]:  # its sandbox can be left
        raise ImportError(f"expected jinja2 3.1.6 or later, found {jinja2.__version__}: run pip install -U jinja2")
    made = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True, extensions=[_Generation, loopcontrols])
    made.filters["tojson"] = lambda value, ensure_ascii=False, **more: json.dumps(
        value, ensure_ascii=ensure_ascii, **more
    )
    made.globals |= {"raise_exception": _raise, "strftime_now": lambda form: datetime.datetime.now().strftime(form)}
    return made.from_string(source)


def _config(folder: Path) -> dict[str, Any]:
    """The template and special tokens of a model folder, as in tokenizer_config.json."""
    config: dict[str, Any] = {}
    for file in (folder / "special_tokens_map.json", folder / "tokenizer_config.json"):
        config |= json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    if isinstance(forms := config.get("chat_template"), list):
        config["chat_template"] = next((each["template"] for each in forms if each["name"] == "default"), None)
    if (file := folder / "chat_template.jinja").is_file():
        config["chat_template"] = file.read_text(encoding="utf-8")
    return config


def main() -> None:
    template, values = jinja2.Template(""), dict[str, Any](tools=None, documents=None, add_generation_prompt=False)
    for line in sys.stdin.buffer:
        request, reply = json.loads(line), dict[str, Any]()
        try:
            for each in request.get("messages", ()):
                if "role" not in each and "from" in each:
                    each |= {"role": _ROLES.get(each["from"], each["from"]), "content": each.get("value")}
            if "messages" in request:
                reply["text"] = template.render(messages=request["messages"], **values)
            else:
                config = request.get("config") or _config(Path(request["folder"]))
                template = _compiled(config.get("chat_template"))
                for name, each in config.items():
                    token = each.get("content") if isinstance(each, dict) else each
                    values |= {name: token} if name.endswith("_token") and isinstance(token, str) else {}
        except Exception as error:
            reply["error"] = {"kind": "input", "message": f"{error} ({type(error).__name__})"}
        sys.stdout.write(json.dumps(reply) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
