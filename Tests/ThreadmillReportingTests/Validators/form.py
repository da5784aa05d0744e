"""The reports against their schemas."""

import copy
import json
import pathlib
import sysconfig

import jsonschema
from lxml import etree


def sarif_schema():
    """The copy in the package is the committee's draft; what the errata of the standard made
    stricter is added, as far as it can concern us."""
    path = pathlib.Path(sysconfig.get_paths()["purelib"]) / "sarif-schema.json"
    schema = json.loads(path.read_bytes())
    for definition in schema["definitions"].values():
        if "properties" in definition and "additionalProperties" not in definition:
            definition["additionalProperties"] = False
    for name, alternatives in {
        "message": ["text", "id"],
        "physicalLocation": ["address", "artifactLocation"],
        "region": ["startLine", "charOffset", "byteOffset"],
    }.items():
        for key in (name, name + "Class"):
            if key in schema["definitions"]:
                schema["definitions"][key]["anyOf"] = [{"required": [a]} for a in alternatives]
    return schema


class Forms:
    def __init__(self, schema, xsd):
        report = json.loads(pathlib.Path(schema).read_bytes())
        jsonschema.Draft202012Validator.check_schema(report)
        self.report = jsonschema.Draft202012Validator(report)
        self.sarif = jsonschema.Draft4Validator(
            sarif_schema(), format_checker=jsonschema.Draft4Validator.FORMAT_CHECKER)
        self.junit = etree.XMLSchema(etree.parse(xsd))
        self.seen = set()

    def check(self, case, _):
        report = json.loads((case / "report.json").read_bytes())
        yield from self.errors(self.report, report, "json")
        yield from self.errors(self.sarif, json.loads((case / "report.sarif").read_bytes()), "sarif")
        yield from self.strangers(report)
        try:
            if not self.junit.validate(etree.parse(case / "report.junit", huge())):
                yield "junit: %s" % self.junit.error_log
        except etree.XMLSyntaxError as error:
            yield "junit: %s" % error

    @staticmethod
    def errors(validator, document, name):
        for error in validator.iter_errors(document):
            yield "%s: %s at %s" % (name, error.message[:300], "/".join(map(str, error.path)))

    def strangers(self, report):
        """A member that the schema does not name has to be refused, wherever it stands."""
        for path, definition in self.objects(report, self.report.schema, ()):
            self.seen.update((self.name(definition), member) for member in self.at(report, path))
            if "properties" not in definition:
                continue
            changed = copy.deepcopy(report)
            self.at(changed, path)["stranger"] = 1
            if self.report.is_valid(changed):
                yield "json: a stranger is welcome at %s" % "/".join(map(str, path))

    def objects(self, value, schema, path, known=None):
        """The first object of each definition, with the definition."""
        known = set() if known is None else known
        schema = self.resolved(schema)
        if isinstance(value, dict):
            members = schema.get("properties", {})
            if self.name(schema) not in known:
                known.add(self.name(schema))
                yield path, schema
            else:
                self.seen.update((self.name(schema), member) for member in value)
            for member, child in value.items():
                if member in members:
                    yield from self.objects(child, members[member], path + (member,), known)
        elif isinstance(value, list):
            for index, child in enumerate(value):
                yield from self.objects(child, schema["items"], path + (index,), known)

    def unused(self):
        """A member of the schema that no report has is one that nobody checks."""
        definitions = [self.report.schema, *self.report.schema["$defs"].values()]
        for definition in definitions:
            for member in definition.get("properties", {}):
                if (self.name(definition), member) not in self.seen:
                    yield "schema: no report has %s of %s" % (member, self.name(definition))

    def resolved(self, schema):
        while "$ref" in schema:
            schema = self.report.schema["$defs"][schema["$ref"].rsplit("/", 1)[1]]
        return schema

    @staticmethod
    def name(schema):
        return schema["title"]

    @staticmethod
    def at(value, path):
        for step in path:
            value = value[step]
        return value


def huge():
    return etree.XMLParser(huge_tree=True)
