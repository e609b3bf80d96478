"""How templates become Python: what they compare, count, put together and show goes through the environment, which is
told of it; and what they include and say comes from there without detours.
"""

from __future__ import annotations

from typing import Any

from jinja2 import nodes
from jinja2.compiler import CodeGenerator, Frame, operators
from jinja2.idtracking import VAR_LOAD_RESOLVE

_PRINTED = "printed"  # in place of the name of a filter: its node is printed as part of a text
# What templates say words of the interface with, and what a call with a text of the template's own is compiled to:
# {{ _("Hello") }}, {{ ngettext("%(num)s hour", "%(num)s hours", n) }}, {{ pgettext("of pages", "More") }}.
_SPEECH = {"_": "phrase", "gettext": "phrase", "ngettext": "phrase_of", "pgettext": "phrase_in"}


class Generator(CodeGenerator):
    """Compiles templates so that comparisons, lengths and texts put together tell what they read."""

    def visit_Include(self, node: nodes.Include, frame: Frame) -> None:  # noqa: N802 - Jinja's name
        """A template of a known name, included with the values at hand, comes from the environment without detours."""
        is_named = isinstance(node.template, nodes.Const) and isinstance(node.template.value, str)
        if not is_named or node.ignore_missing or not node.with_context:
            super().visit_Include(node, frame)
            return
        self.writeline("for event in environment.included(", node)
        self.visit(node.template, frame)
        self.write(f", {self.name!r}, context, {self.dump_local_context(frame)}):")
        self.indent()
        self.simple_write("event", frame)
        self.outdent()

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        if frame.eval_ctx.volatile or not frame.eval_ctx.autoescape:
            super()._output_child_pre(node, frame, finalize)
        else:  # in place of two calls
            self.write("environment.shown(")

    def _output_child_post(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        if frame.eval_ctx.volatile or not frame.eval_ctx.autoescape:
            super()._output_child_post(node, frame, finalize)
        else:
            self.write(")")

    def visit_Compare(self, node: nodes.Compare, frame: Frame) -> None:  # noqa: N802 - Jinja's name
        """A comparison, which tells of both sides."""
        self.write("(")
        self._operand("compared", node.expr, frame)
        for operand in node.ops:
            self.write(f" {operators[operand.op]} ")
            self._operand("compared", operand.expr, frame)
        self.write(")")

    def visit_Concat(self, node: nodes.Concat, frame: Frame) -> None:  # noqa: N802
        """Texts put together, which may be made of anything."""
        super().visit_Concat(nodes.Concat([_printed(each) for each in node.nodes]), frame)

    def visit_Mod(self, node: nodes.BinExpr, frame: Frame) -> None:  # noqa: N802
        """A text with values filled in, or a remainder."""
        super().visit_Mod(nodes.Mod(_printed(node.left), _printed(node.right)), frame)

    def visit_Filter(self, node: nodes.Filter, frame: Frame) -> None:  # noqa: N802
        """A filter; a length is asked for without looking at the elements."""
        if node.name in {"length", "count"} and isinstance(node.node, nodes.Getattr):
            self.write("environment.length(")
            self.visit(node.node.node, frame)
            self.write(f", {node.node.attr!r})")
        elif node.name == _PRINTED and node.node:
            self._operand("told", node.node, frame)
        else:
            super().visit_Filter(node, frame)

    def visit_Call(self, node: nodes.Call, frame: Frame, forward_caller: bool = False) -> None:  # noqa: N802
        """A call that says words of the interface goes to the environment without detours."""
        if not self._says(node, frame):
            super().visit_Call(node, frame, forward_caller=forward_caller)
            return
        assert isinstance(node.node, nodes.Name)  # noqa: S101 - as _says has seen
        self.write(f"environment.{_SPEECH[node.node.name]}(")
        for argument in node.args:
            self._operand("told", argument, frame)
            self.write(", ")
        self.write("{")
        for named in node.kwargs:
            self.write(f"{named.key!r}: ")
            self._operand("told", named.value, frame)
            self.write(", ")
        self.write("})")

    @staticmethod
    def _says(node: nodes.Call, frame: Frame) -> bool:
        """Whether a call says a text that stands in the template, by a name that means no variable there."""
        name = node.node
        if not isinstance(name, nodes.Name) or name.name not in _SPEECH or node.dyn_args or node.dyn_kwargs:
            return False
        loaded = frame.symbols.find_load(frame.symbols.find_ref(name.name) or "")
        is_ours = loaded is not None and loaded[0] == VAR_LOAD_RESOLVE
        texts = node.args[: 1 if _SPEECH[name.name] == "phrase" else 2]
        return is_ours and all(isinstance(text, nodes.Const) for text in texts)

    def _operand(self, how: str, node: nodes.Expr, frame: Frame) -> None:
        if isinstance(node, nodes.Literal):
            self.visit(node, frame)
        else:
            self.write(f"environment.{how}(")
            self.visit(node, frame)
            self.write(")")


def _printed(node: nodes.Expr) -> nodes.Expr:
    return node if isinstance(node, nodes.Literal) else nodes.Filter(node, _PRINTED, [], [], None, None)
