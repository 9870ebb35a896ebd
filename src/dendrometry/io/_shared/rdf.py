"""Graphs of RDF as rdflib parses them, without the network, other files, the current folder or growing entities.

Whether an address is fetched is not decided by looking for addresses: the parsers that are used here have nothing that
could fetch one.
"""

from __future__ import annotations

import importlib.util
import io
import json
import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from xml.sax import expatreader, handler, xmlreader

from dendrometry._display import printable
from dendrometry._extras import require
from dendrometry.errors import FormatError

BASE = "http://relative.invalid/"  # of relative addresses, in place of the current folder; nobody can own this name
_DEEPEST = 100  # of nested values of JSON-LD
_FREE_TERMS = 100_000  # of contexts of JSON-LD, counted at each node, besides one for each character
_MOST_ALIASES = 100  # each node is looked through for all of them
_LONGEST_ENTITY = 200  # characters; an entity abbreviates an address
_MOST_PREFIXES = 1_000  # in force at one place of RDF/XML: each copies all the others


def parse_rdf(text: str) -> Any:
    """Return the graph of RDF/XML, of JSON-LD, or of Turtle, of which N-Triples are a part."""
    rdflib = require("rdflib", extra="graph", for_="from_skos()")
    graph = rdflib.Graph(bind_namespaces="none")
    graph.bind = lambda *_, **__: None  # prefixes are for writing, and each is compared with the others
    start = text.lstrip()[:9].lower()
    try:
        with _unlogged():
            if start.startswith(("{", "[")):
                _add_json(text, graph)
            elif start.startswith(("<?xml", "<rdf:rdf", "<!doctype", "<!--")):
                _add_xml(text, graph)
            else:
                graph.parse(data=text, format="turtle", publicID=BASE)
    except FormatError:
        raise
    except Exception as error:  # what a parser of rdflib raises may be anything
        reason = str(error).strip().partition("\n")[0] or type(error).__name__
        raise FormatError(f"the text must be Turtle, N-Triples, RDF/XML or JSON-LD; got {printable(reason)}") from None
    return graph


@contextmanager
def _unlogged() -> Iterator[None]:
    """Drop what rdflib logs on this thread: odd addresses and values of the file, which a terminal would obey."""
    own = threading.get_ident()

    def of_others(record: logging.LogRecord) -> bool:
        return record.thread != own

    names = [name for name in list(logging.root.manager.loggerDict) if name.startswith("rdflib")]
    loggers = [logging.getLogger(name) for name in names]
    for logger in loggers:
        logger.addFilter(of_others)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeFilter(of_others)


def _add_json(text: str, graph: Any) -> None:
    """Add the triples of JSON-LD, refusing deep nesting."""
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"JSON-LD must be JSON; got {printable(str(error))}") from None
    level: list[Any] = [whole]
    for _ in range(_DEEPEST):
        objects = [value for value in level if isinstance(value, dict)]
        level = [part for value in level if isinstance(value, list) for part in value]
        level += [part for value in objects for part in value.values()]
    if level:
        raise FormatError(f"JSON-LD must be nested less than {_DEEPEST} deep; it is deeper")
    _closed_json_parser(_FREE_TERMS + len(text)).to_rdf(whole, graph, base=BASE)


def _closed_json_parser(most: int) -> Any:
    """Return a copy of rdflib's parser of JSON-LD whose loader of contexts refuses; rdflib's own stays as it is.

    Its contexts read and copy at most so many terms: rdflib reads that of a term or a type again at each of its nodes.
    """
    context = _copy_of("rdflib.plugins.shared.jsonld.context")
    parser = _copy_of("rdflib.plugins.parsers.jsonld")
    n_terms = 0

    class Context(context.Context):  # type: ignore[name-defined, misc]
        def _subcontext(self, *given: Any, **options: Any) -> Any:
            self._count(len(self.terms))
            return super()._subcontext(*given, **options)

        def _read_term(self, *given: Any, **options: Any) -> None:
            self._count(1)
            super()._read_term(*given, **options)
            if sum(map(len, self._alias.values())) > _MOST_ALIASES:
                raise FormatError(f"JSON-LD must have at most {_MOST_ALIASES} other names for keywords; got more")

        def _count(self, number: int) -> None:
            nonlocal n_terms
            n_terms += number
            if n_terms > most:
                raise FormatError(f"contexts of JSON-LD must hold at most {most:,} terms, at all nodes; got more")

    for module, name, own in (
        (context, "Context", Context),
        (context, "source_to_json", _refuse_address),
        (parser, "source_to_json", _refuse_address),
        (parser, "Context", Context),
        (parser, "Term", context.Term),
        (parser, "UNDEF", context.UNDEF),
        (parser, "TYPE_TERM", context.Term(*parser.TYPE_TERM[:3])),
    ):
        getattr(module, name)  # a version of rdflib without it may load contexts in another way: better no parser
        setattr(module, name, own)
    return parser


def _copy_of(name: str) -> Any:
    """Return a second instance of an installed module, which no other import finds."""
    spec = importlib.util.find_spec(name)
    if spec is None or spec.loader is None:
        raise ImportError(name)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _refuse_address(*_: Any, **__: Any) -> Any:
    """Refuse to load a context."""
    raise FormatError("a context of JSON-LD must be in the text; got the address of one, which is not fetched")


def _add_xml(text: str, graph: Any) -> None:
    """Add the triples of RDF/XML."""
    rdfxml = require("rdflib.plugins.parsers.rdfxml", extra="graph", for_="from_skos()")
    source = xmlreader.InputSource()
    source.setPublicId(BASE)
    source.setCharacterStream(io.StringIO(text))
    parser = _PlainParser()
    parser.setFeature(handler.feature_namespaces, True)
    parser.setFeature(handler.feature_external_ges, False)
    parser.setFeature(handler.feature_external_pes, False)
    parser.setContentHandler(rdfxml.RDFXMLHandler(graph))
    parser.setErrorHandler(handler.ErrorHandler())
    parser.parse(source)


class _PlainParser(expatreader.ExpatParser):
    """A parser of XML in which nothing grows, and nothing is left out."""

    _parser: Any

    def reset(self) -> None:
        super().reset()
        self._n_prefixes = 0
        self._parser.EntityDeclHandler = self._entity
        self._parser.AttlistDeclHandler = self._default
        self._parser.SkippedEntityHandler = self._skipped

    def start_namespace_decl(self, prefix: str | None, uri: str) -> None:
        self._n_prefixes += 1
        if self._n_prefixes > _MOST_PREFIXES:
            raise FormatError(f"RDF/XML must use at most {_MOST_PREFIXES:,} prefixes at one place; got more")
        super().start_namespace_decl(prefix, uri)

    def end_namespace_decl(self, prefix: str | None) -> None:
        self._n_prefixes -= 1
        super().end_namespace_decl(prefix)

    def _entity(self, name: str, is_parameter: bool, value: str | None, *_: Any) -> None:
        if is_parameter or value is None or "&" in value or len(value) > _LONGEST_ENTITY:
            raise FormatError(
                f"an entity of RDF/XML must be a text of at most {_LONGEST_ENTITY} characters that uses no other entity"
                f" and no other file; got that of '{printable(name)}'"
            )

    def _default(self, element: str, attribute: str, _: str, default: str | None, __: bool) -> None:
        if default is not None:
            raise FormatError(
                "RDF/XML must not give attributes by default;"
                f" got one for '{printable(attribute)}' of '{printable(element)}'"
            )

    def _skipped(self, name: str, _: bool) -> None:
        raise FormatError(f"each entity of RDF/XML must be declared in it; '{printable(name)}' is not")
