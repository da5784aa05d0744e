"""The names in the reports, read back by parsers that are not ours."""

import json
import urllib.parse
import xml.etree.ElementTree as xml

from annotations import parse as parse_annotations
from markdown import parse as parse_markdown
from text import from_sarif, in_xml, printable


def check(case, expected):
    for format in (in_json, in_sarif, in_junit, in_markdown, in_github, in_text):
        try:
            for what, found, wanted in format(case, expected) if expected else ():
                if found != wanted:
                    yield "%s: %s is %.120r, not %.120r" % (format.__name__, what, found, wanted)
        # What cannot be read at all is one complaint, and the other formats are still read.
        except Exception as error:
            yield "%s: %s: %s" % (format.__name__, type(error).__name__, error)


def in_json(case, expected):
    findings = json.loads((case / "report.json").read_bytes())["findings"]
    yield "count", len(findings), len(expected)
    for finding, wanted in zip(findings, expected):
        thread = finding["participants"][0]
        yield "title", finding["title"], wanted["title"]
        yield "tests", finding["tests"], [wanted["test"]]
        yield "thread", thread["name"], wanted["thread"]
        yield "role", thread["role"], wanted["role"]
        yield "function", thread["frames"][0]["function"], wanted["function"]
        yield "file", thread["frames"][0]["file"], wanted["file"]


def in_sarif(case, expected):
    results = json.loads((case / "report.sarif").read_bytes())["runs"][0]["results"]
    yield "count", len(results), len(expected)
    for result, wanted in zip(results, expected):
        sentence = 'T1 "%s" %s' % (wanted["thread"], wanted["role"])
        link = '. \0[T1 "%s"\0](1) %s.' % (wanted["thread"], wanted["role"])
        flow = result["codeFlows"][0]["threadFlows"][0]
        yield "message", from_sarif(result["message"]["text"]), wanted["title"] + link
        yield "tests", result["properties"]["tests"], [wanted["test"]]
        yield "thread", from_sarif(flow["message"]["text"]), sentence
        locations = [result["locations"][0], result["relatedLocations"][0]]
        for location in locations + [flow["locations"][-1]["location"]]:
            artifact = location["physicalLocation"]["artifactLocation"]
            yield "base", artifact["uriBaseId"], "%SRCROOT%"
            yield "file", urllib.parse.unquote(artifact["uri"], errors="strict"), wanted["file"]
            parts = urllib.parse.urlsplit(artifact["uri"])
            yield "path", (parts.scheme, parts.netloc, parts.query, parts.fragment), ("",) * 4
            name = location["logicalLocations"][0]["fullyQualifiedName"]
            yield "function", name, wanted["function"]


def in_junit(case, expected):
    suite = xml.fromstring((case / "report.junit").read_bytes()).find("testsuite")
    found = []
    for element in suite.findall("testcase")[1:]:
        name = element.get("name")
        if element.get("classname") is not None:
            name = element.get("classname") + "/" + name
        for failure in element.findall("failure"):
            found.append((name, failure.get("message"), failure.get("type")))
            heading = "error: %s [observed" % in_xml(printable(failure.get("message")))
            # What U+FFFD stands for is told in full by the text.
            if "\uFFFD" not in failure.get("message"):
                yield "body", failure.text[: len(heading)], heading
    wanted = [
        (in_xml(e["test"]), in_xml(e["title"]), "threadmill/" + e["kind"]) for e in expected
    ]
    yield "failures", sorted(found), sorted(wanted)


def in_markdown(case, expected):
    page = parse_markdown((case / "report.markdown").read_bytes().decode())
    yield "tags", page.strange, set()
    wanted = [
        ["error", printable(e["title"]), "observed " + e["kind"],
         printable("%s:%s" % (e["file"], e["line"])), printable(e["test"]), "1 time"]
        for e in expected
    ]
    yield "rows", page.rows, wanted
    yield "summaries", page.summaries, ["error: " + printable(e["title"]) for e in expected]
    text = (case / "report.text").read_bytes().decode()
    for block in page.code:
        yield "details", block in text, True
    # The last one is what to type.
    yield "blocks", len(page.code), len(expected) + 1


def in_github(case, expected):
    text = (case / "report.github").read_bytes().decode()
    commands = parse_annotations(text)
    shown = expected[:10]
    yield "count", len(commands), len(shown) + (len(expected) > 10)
    for (level, properties, message), wanted in zip(commands, shown):
        yield "level", level, "error"
        yield "file", properties["file"], wanted["file"]
        yield "line", properties["line"], str(wanted["line"])
        yield "names", set(properties), {"file", "line", "col", "title"}
        sentence = 'T1 "%s" %s at ' % (wanted["thread"], wanted["role"])
        place = "%s:%s\n" % (printable(wanted["file"]), wanted["line"])
        begin = "%s\n%s" % (wanted["title"], sentence)
        yield "message", message[: len(begin)], begin


def in_text(case, expected):
    lines = (case / "report.text").read_bytes().decode().split("\n")
    heads = [line for line in lines if line.startswith("error: ")]
    wanted = ["error: %s [observed %s]" % (printable(e["title"]), e["kind"]) for e in expected]
    yield "titles", heads, wanted
    yield "lines", [line for line in lines if line != printable(line)], []
