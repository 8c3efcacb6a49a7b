"""The OpenAPI document as a page to read: plain HTML, no scripts, nothing from elsewhere."""

import json
from collections.abc import Mapping
from html import escape
from typing import Any

__all__ = ["STYLE", "reference_page"]

STYLE = """\
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 25%, transparent); }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 1rem; }
h2 { border-top: 1px solid var(--line); margin-top: 2rem; padding-top: 1rem; }
h2 code { font-size: 1rem; overflow-wrap: anywhere; }
.method { border: 1px solid currentColor; border-radius: .3rem; font-size: .8rem; padding: .1rem .4rem; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { border-bottom: 1px solid var(--line); padding: .25rem .75rem .25rem 0; text-align: left; vertical-align: top; }
pre { border: 1px solid var(--line); border-radius: .3rem; overflow-x: auto; padding: .5rem; }
"""


def reference_page(document: Mapping[str, Any]) -> str:
    """The page of an OpenAPI document."""
    schemas = document["components"]["schemas"]
    info = document["info"]
    operations = [
        _operation(path, method, each)
        for path, methods in document["paths"].items()
        for method, each in methods.items()
    ]
    models = [_model(name, schema) for name, schema in sorted(schemas.items())]
    kinds = "".join(
        f"<tr><td><code>{escape(kind)}</code></td><td>{escape(said)}</td></tr>"
        for kind, said in document["x-error-kinds"].items()
    )
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(info["title"])} {escape(info["version"])}: HTTP</title>
<link rel="stylesheet" href="docs/style.css">
</head>
<body>
<main>
<h1>{escape(info["title"])} {escape(info["version"])} over HTTP</h1>
<p>{escape(info["description"])}</p>
<p>As a document: <a href="openapi.json">openapi.json</a>.</p>
{"".join(operations)}
<h2 id="errors">Kinds of errors</h2>
<p>Every answer but 2xx is <code>{{"error": {{"code", "message", "data": {{"kind", ...}}}}}}</code>.</p>
<table><thead><tr><th>kind</th><th>when</th></tr></thead><tbody>{kinds}</tbody></table>
<h2 id="models">Models</h2>
{"".join(models)}
</main>
</body>
</html>
"""


def _operation(path: str, method: str, each: Mapping[str, Any]) -> str:
    parts = [
        f'<h2><span class="method">{escape(method.upper())}</span> <code>{escape(path)}</code></h2>',
        f"<p>{escape(each['summary'])}. {escape(each.get('description', ''))}</p>",
    ]
    for parameter in each.get("parameters", ()):
        said = parameter.get("description", "in the path")
        parts.append(f"<p>Parameter <code>{escape(parameter['name'])}</code>: {escape(said)}.</p>")
    body = each.get("requestBody", {}).get("content", {}).get("application/json")
    if body is not None:
        parts.append(f"<p>Body: {_type(body['schema'])}.</p>")
        if "example" in body:
            parts.append(f"<pre>{escape(json.dumps(body['example'], indent=2))}</pre>")
    rows = "".join(
        f"<tr><td>{escape(status)}</td><td>{escape(answer['description'])}</td>"
        f"<td>{_type(answer['content']['application/json']['schema'])}</td></tr>"
        for status, answer in sorted(each["responses"].items())
    )
    parts.append(
        f"<table><thead><tr><th>status</th><th>when</th><th>body</th></tr></thead><tbody>{rows}</tbody></table>"
    )
    return "\n".join(parts)


def _model(name: str, schema: Mapping[str, Any]) -> str:
    needed = schema.get("required", ())
    rows = "".join(
        f"<tr><td><code>{escape(field)}</code>{'' if field in needed else ' (may be left out)'}</td>"
        f"<td>{_type(each)}</td><td>{escape(each.get('description', ''))}</td></tr>"
        for field, each in schema.get("properties", {}).items()
    )
    table = (
        f"<table><thead><tr><th>member</th><th>type</th><th>meaning</th></tr></thead><tbody>{rows}</tbody></table>"
        if rows
        else ""
    )
    return f'<h3 id="{escape(name)}">{escape(name)}</h3><p>{escape(schema.get("description", ""))}</p>{table}'


def _type(schema: Mapping[str, Any]) -> str:
    """A type in words, models as links."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f'<a href="#{escape(name)}">{escape(name)}</a>'
    for joined in ("anyOf", "oneOf"):
        if joined in schema:
            return " or ".join(_type(each) for each in schema[joined])
    if "allOf" in schema:
        return _type(schema["allOf"][0])
    if "enum" in schema:
        return ", ".join(f"<code>{escape(json.dumps(each))}</code>" for each in schema["enum"])
    if "const" in schema:
        return f"<code>{escape(json.dumps(schema['const']))}</code>"
    kind = schema.get("type", "any")
    if kind == "array":
        return f"list of {_type(schema.get('items', {}))}"
    return escape(WORDS.get(kind, str(kind)))


WORDS = {"string": "text", "integer": "whole number", "boolean": "true or false", "null": "null"}
