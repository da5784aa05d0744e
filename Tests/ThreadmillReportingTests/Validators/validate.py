"""Holds reports against their schemas, and names in them against what went in.

usage: validate.py FOLDER SCHEMA XSD

FOLDER has a folder for each report, with the report in every format and with `expected.json`:
`findings`, a list of what went in, each with a `title`, `test`, `thread`, `role`, `function`,
`file`, `line` and `kind`; empty where only the form is looked at. Says what is wrong, one line each;
exit status 0 only if nothing is.
"""

import json
import pathlib
import sys

import form
import names


def main(folder, schema, xsd):
    forms = form.Forms(schema, xsd)
    complaints, reports = [], 0
    for case in sorted(pathlib.Path(folder).iterdir()):
        expected = json.loads((case / "expected.json").read_bytes())
        for check in (forms.check, names.check):
            for complaint in check(case, expected["findings"]):
                complaints.append("%s: %s" % (case.name, complaint))
        reports += 1
    complaints += forms.unused()
    for complaint in complaints:
        print(complaint[:600])
    print("%d reports, %d complaints" % (reports, len(complaints)))
    return 1 if complaints or not reports else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
