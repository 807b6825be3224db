#!/usr/bin/env python3
"""Makes the typed operations of both clients from what the program says of itself.

usage: generate.py [--check] < openapi.json

The description is that of `GET /openapi.json`. With --check nothing is written; what is stale is named, and the exit code is 1.
"""

import json
import keyword
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
NOTE = "Made by clients/generate.py from the program's own description. Not to be changed by hand."
SCALARS = {
    "string": ("str", "string"),
    "integer": ("int", "number"),
    "number": ("float", "number"),
    "boolean": ("bool", "boolean"),
}


class Type:
    """How a schema is written in Python and in TypeScript."""

    def __init__(self, python, typescript):
        self.python = python
        self.typescript = typescript


class Field:
    def __init__(self, name, schema, required, kind):
        self.name = name
        self.about = schema.get("description", "") if isinstance(schema, dict) else ""
        self.required = required
        self.type = kind


class Shapes:
    """Objects that have a name, each once."""

    def __init__(self):
        self.fields = {}
        self.names = {}

    def of(self, schema, name):
        if not isinstance(schema, dict) or not schema:
            return Type("Any", "unknown")
        for choice in ("anyOf", "oneOf"):
            if choice in schema and "properties" not in schema:
                parts = [self.of(part, f"{name}{number or ''}") for number, part in enumerate(schema[choice])]
                return union(parts)
        kinds = schema.get("type")
        kinds = kinds if isinstance(kinds, list) else [kinds]
        parts = [self.single(kind, schema, name) for kind in kinds if kind != "null"]
        if "null" in kinds:
            parts.append(Type("None", "null"))
        return union(parts)

    def single(self, kind, schema, name):
        if "enum" in schema and kind == "string":
            words = [json.dumps(word) for word in schema["enum"] if word is not None]
            return Type(f"Literal[{', '.join(words)}]", " | ".join(words))
        if kind in SCALARS:
            return Type(*SCALARS[kind])
        if kind == "array":
            item = self.of(schema.get("items"), singular(name))
            inner = f"({item.typescript})" if "|" in item.typescript else item.typescript
            return Type(f"list[{item.python}]", f"{inner}[]")
        if kind == "object" and schema.get("properties"):
            return Type(*[self.named(schema, name)] * 2)
        return Type("dict[str, Any]", "Record<string, unknown>") if kind == "object" else Type("Any", "unknown")

    def named(self, schema, name):
        same = json.dumps(plain(schema), sort_keys=True)
        if same in self.names:
            return self.names[same]
        while name in self.fields:
            name += "_"
        self.names[same] = name
        self.fields[name] = []
        required = schema.get("required", [])
        for field, inner in schema["properties"].items():
            kind = self.of(inner, name + pascal(field))
            self.fields[name].append(Field(field, inner, field in required, kind))
        return name


def union(parts):
    python, typescript = [], []
    for part in parts:
        python += [part.python] if part.python not in python else []
        typescript += [part.typescript] if part.typescript not in typescript else []
    if "Any" in python:
        return Type("Any", "unknown")
    joined = python[0] if len(python) == 1 else f"Union[{', '.join(python)}]"
    return Type(joined, " | ".join(typescript))


def plain(schema):
    """Without what is said for people."""
    if isinstance(schema, dict):
        return {key: plain(value) for key, value in schema.items() if key not in ("description", "title")}
    return [plain(value) for value in schema] if isinstance(schema, list) else schema


def pascal(name):
    return "".join(part[:1].upper() + part[1:] for part in re.split(r"[^A-Za-z0-9]+", name))


def snake(name):
    word = re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", name).lower()
    return word + "_" if keyword.iskeyword(word) else word


def singular(name):
    return name[:-3] + "y" if name.endswith("ies") else name[:-1] if name.endswith("s") else name + "Item"


class Operation:
    def __init__(self, method, path, described, shapes):
        self.name = described["operationId"]
        self.about = described["summary"]
        self.method = method.upper()
        self.path = path
        self.fields = []
        title = pascal(self.name)
        for parameter in described.get("parameters", []):
            schema = dict(parameter["schema"], description=parameter.get("description", ""))
            self.add(shapes, parameter["name"], schema, parameter["required"], title)
        body = described.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
        for name, schema in body.get("properties", {}).items():
            self.add(shapes, name, schema, name in body.get("required", []), title)
        # Where one of several is wanted, none of them goes without its name.
        self.is_choice = "oneOf" in body
        self.fields.sort(key=lambda field: (not field.required, f"{{{field.name}}}" not in path))
        answers = [answer for status, answer in described["responses"].items() if status.startswith("2")]
        answer = answers[0]["content"]["application/json"]["schema"]
        self.answer = shapes.of(answer, title + "Answer")

    def add(self, shapes, name, schema, required, title):
        self.fields.append(Field(name, schema, required, shapes.of(schema, title + pascal(name))))

    def placed(self):
        """What is given by its place: what is required, else what is asked first."""
        required = [field for field in self.fields if field.required]
        return required if required or self.is_choice else self.fields[:1]

    def named(self):
        return self.fields[len(self.placed()) :]


def read(document):
    shapes = Shapes()
    operations = []
    for path, methods in document["paths"].items():
        for method, described in methods.items():
            operations.append(Operation(method, path, described, shapes))
    return operations, shapes


def python(operations, shapes):
    lines = [f'"""{NOTE}"""', "", "from __future__ import annotations", ""]
    lines += ["from typing import Any, Literal, TypedDict, Union"]
    for name, fields in shapes.fields.items():
        lines += [""] + python_shape(name, fields)
    for title, how, wait in (("Operations", "def", ""), ("AsyncOperations", "async def", "await ")):
        about = "Every operation, as a method." if not wait else "The same, awaited; Operations says what each field means."
        lines += ["", "", f"class {title}:", f'    """{about}"""']
        lines += ["", f"    {how} _ask(self, method: str, path: str, fields: dict[str, Any]) -> Any:"]
        lines += ["        raise NotImplementedError"]
        for operation in operations:
            lines += [""] + python_method(operation, how, wait)
    return "\n".join(lines) + "\n"


def python_shape(name, fields):
    """What is always there, and what may be absent."""
    safe = all(not keyword.iskeyword(field.name) for field in fields)
    entry = lambda field: f"{json.dumps(field.name)}: {json.dumps(field.type.python)}"
    if not safe:
        inside = ", ".join(entry(field) for field in fields)
        return ["", f'{name} = TypedDict("{name}", {{{inside}}}, total=False)']
    line = lambda field: f"    {field.name}: {field.type.python}"
    always = [line(field) for field in fields if field.required]
    maybe = [line(field) for field in fields if not field.required]
    if not maybe:
        return ["", f"class {name}(TypedDict):", *always]
    if not always:
        return ["", f"class {name}(TypedDict, total=False):", *maybe]
    base = f"_{name}"
    return ["", f"class {base}(TypedDict):", *always, "", "", f"class {name}({base}, total=False):", *maybe]


def python_method(operation, how, wait):
    argument = lambda field: f"{snake(field.name)}: {field.type.python}"
    maybe = lambda field: f"{snake(field.name)}: Union[{field.type.python}, None] = None"
    arguments = ["self"] + [argument(field) if field.required else maybe(field) for field in operation.placed()]
    arguments += ["*"] + [maybe(field) for field in operation.named()] if operation.named() else []
    head = [f"    {how} {snake(operation.name)}("]
    head += [f"        {argument}," for argument in arguments]
    head += [f"    ) -> {operation.answer.python}:"]
    about = [f"{operation.about}."]
    said = [f"        {snake(field.name)}: {field.about}" for field in operation.fields if field.about and not wait]
    text = [f'        """{about[0]}']
    text += ["", *said, '        """'] if said else []
    if not said:
        text[0] += '"""'
    fields = ", ".join(f"{json.dumps(field.name)}: {snake(field.name)}" for field in operation.fields)
    call = f"        return {wait}self._ask({json.dumps(operation.method)}, {json.dumps(operation.path)}, {{{fields}}})"
    return head + [line.replace("\\", "\\\\") for line in text] + [call]


def typescript(operations, shapes):
    lines = [f"// {NOTE}", ""]
    for name, fields in shapes.fields.items():
        lines += [f"export interface {name} {{"] + [typescript_field(field) for field in fields] + ["}", ""]
    for operation in operations:
        if operation.named():
            lines += [f"export interface {pascal(operation.name)}Options {{"]
            lines += [typescript_field(field) for field in operation.named()] + ["}", ""]
    lines += ["/** Every operation, as a method. */", "export abstract class Operations {"]
    lines += ["  protected abstract ask<T>(method: string, path: string, fields: object): Promise<T>;"]
    for operation in operations:
        lines += [""] + typescript_method(operation)
    return "\n".join(lines + ["}"]) + "\n"


def typescript_field(field):
    about = f"  /** {field.about} */\n" if field.about else ""
    name = field.name if field.name.isidentifier() else json.dumps(field.name)
    return f"{about}  {name}{'' if field.required else '?'}: {field.type.typescript};"


def typescript_method(operation):
    argument = lambda field: f"{field.name}{'' if field.required else '?'}: {field.type.typescript}"
    arguments = [argument(field) for field in operation.placed()]
    given = [field.name for field in operation.placed()]
    if operation.named():
        arguments.append(f"options: {pascal(operation.name)}Options = {{}}")
        given.append("...options")
    said = [f"   * @param {field.name} {field.about}" for field in operation.placed() if field.about]
    about = [f"  /** {operation.about}. */"]
    if said:
        about = ["  /**", f"   * {operation.about}.", *said, "   */"]
    ask = f"this.ask({json.dumps(operation.method)}, {json.dumps(operation.path)}, {{ {', '.join(given)} }})"
    head = f"  {operation.name}({', '.join(arguments)}): Promise<{operation.answer.typescript}> {{"
    return [*about, head, f"    return {ask};", "  }"]


def main():
    operations, shapes = read(json.load(sys.stdin))
    made = {
        HERE / "python/mindfile/operations.py": python(operations, shapes),
        HERE / "typescript/src/operations.ts": typescript(operations, shapes),
    }
    stale = [path for path, text in made.items() if not path.exists() or path.read_text() != text]
    if "--check" not in sys.argv:
        for path in stale:
            path.write_text(made[path])
        return 0
    for path in stale:
        print(f"{path.relative_to(HERE.parent)} is not what the program says of itself; run clients/generate.py")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
