"""A study in a notebook as a widget: the page of ``plastiscope-cli serve``. Needs anywidget (extra "notebook")."""

from __future__ import annotations

import json
import os
import subprocess
import urllib.parse
import urllib.request
import weakref
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, ClassVar

import anywidget
import traitlets

from .commands import StudyLike
from .errors import error_of
from .heads import Head
from .program import _sentence, arguments_of, command, find_program
from .study import Study

# The page in a frame; its requests and the selection go over the kernel.
_SCRIPT = """
let views = 0;
function render({model, el}) {
  const frame = document.createElement('iframe'), view = views++;
  frame.sandbox = 'allow-scripts';
  frame.style.cssText = `width: 100%; height: ${model.get('height')}px; border: none`;
  frame.srcdoc = model.get('_page');
  const send = message => frame.contentWindow?.postMessage(message, '*');
  const selected = () => { if (model.get('selection').length) send({selection: model.get('selection')}); };
  const answered = message => { if (message.view === view) send(message); };
  const fromPage = ({source, data}) => {
    if (source !== frame.contentWindow) return;
    if (data.selection) { model.set('selection', data.selection); model.save_changes(); }
    if (data.ready) selected();
    if ('ask' in data) model.send({...data, view});
  };
  addEventListener('message', fromPage);
  model.on('msg:custom', answered);
  model.on('change:selection', selected);
  el.append(frame);
  return () => {
    removeEventListener('message', fromPage);
    model.off('msg:custom', answered);
    model.off('change:selection', selected);
  };
}
export default {render};
"""


def _serve(files: Iterable[str | os.PathLike[str]], options: Mapping[str, Any]) -> tuple[subprocess.Popen[str], str]:
    """Starts ``plastiscope-cli serve``, which ends when its input is closed; the address that it prints."""
    arguments = ["serve", "--quiet", "--until-closed", *arguments_of(command("serve"), options), *files]
    pipe = subprocess.PIPE
    process = subprocess.Popen([find_program(), *arguments], stdin=pipe, stdout=pipe, stderr=pipe, encoding="utf-8")
    assert process.stdout is not None
    address = process.stdout.readline().strip()
    if not address:
        said = process.communicate()[1]
        raise error_of(process.returncode, _sentence(said))
    return process, address


class StudyWidget(anywidget.AnyWidget):
    """A study in a notebook. ``selection`` has the heads that are selected on the page, such as ``[Head(16, 4)]``;
    setting it, also to names, selects them there. ``close()`` ends its program."""

    _esm: ClassVar[str] = _SCRIPT
    _page = traitlets.Unicode().tag(sync=True)
    height = traitlets.Int(760).tag(sync=True)
    selection: Any = traitlets.List().tag(
        sync=True,
        to_json=lambda heads, _: [str(head) for head in heads],
        from_json=lambda names, _: [Head.parse(name) for name in names],
    )

    def __init__(self, study: StudyLike, compare: Iterable[StudyLike] = (), height: int = 760, **options: Any) -> None:
        files = [each.path if isinstance(each, Study) else each for each in (study, *compare)]
        process, self._address = _serve(files, options)
        self._end = weakref.finalize(self, process.communicate)  # also when this Python ends
        self._files, self._options = files, options
        super().__init__(_page=self._get("", {"notebook": 1}), height=height)
        self.on_msg(self._asked)

    @traitlets.validate("selection")
    def _heads(self, proposal: Any) -> list[Head]:
        return [Head.parse(str(head)) for head in proposal["value"]]

    def _get(self, path: str, parameters: Mapping[str, Any]) -> str:
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(f"{self._address}{path}?{urllib.parse.urlencode(parameters)}", timeout=120) as answer:
            return str(answer.read().decode("utf-8"))

    def _asked(self, _widget: Any, message: Mapping[str, Any], _buffers: Any) -> None:
        try:
            value = json.loads(self._get(f"api/{message['path']}", message["parameters"]))
        except OSError as error:
            value = {"error": f"the program does not answer: {error}", "gone": True}
        self.send({"answer": message["ask"], "view": message["view"], "value": value})

    def close(self) -> None:
        self._end()
        super().close()

    @property
    def html(self) -> str:
        """The page that needs no kernel, as of ``show(study, window=False)``."""
        from .view import page_of  # which imports this module

        return page_of(self._files[0], self.height, compare=self._files[1:], **self._options).html

    def save(self, file: str | os.PathLike[str]) -> Path:
        Path(file).write_text(self.html, encoding="utf-8")
        return Path(file)
