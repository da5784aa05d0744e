"""A summary as GitHub's own Markdown library and an HTML parser read it."""

import html.parser

import cmarkgfm
from cmarkgfm.cmark import Options

KNOWN = {
    "h2", "p", "table", "thead", "tbody", "tr", "th", "td", "code", "pre", "details", "summary", "br",
    "span",
}


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.rows, self.summaries, self.code, self.strange = [], [], [], set()
        self.open = []

    def handle_starttag(self, tag, attributes):
        allowed = {("lang", "text")} if tag == "pre" else set()
        if tag not in KNOWN or set(attributes) - allowed:
            self.strange.add(tag)
        if tag == "tr":
            self.rows.append([])
        if tag == "td":
            self.rows[-1].append("")
        if tag == "summary":
            self.summaries.append("")
        if tag == "pre":
            self.code.append("")
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.strange.add("/" + tag)

    def handle_comment(self, data):
        self.strange.add("comment")

    def handle_decl(self, decl):
        self.strange.add("declaration")

    def handle_data(self, data):
        if "td" in self.open:
            self.rows[-1][-1] += data
        elif "summary" in self.open:
            self.summaries[-1] += data
        elif "pre" in self.open:
            self.code[-1] += data


def parse(text):
    page = Page()
    page.feed(cmarkgfm.github_flavored_markdown_to_html(text, Options.CMARK_OPT_UNSAFE))
    page.close()
    page.rows = [row for row in page.rows if row]
    return page
