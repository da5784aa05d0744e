"""What the formats do to text that comes from the program under test, said a second time."""


def is_unprintable(character):
    code = ord(character)
    return (
        code <= 0x1F
        or 0x7F <= code <= 0x9F
        or code in (0x061C, 0x200E, 0x200F, 0x2028, 0x2029, 0xFEFF)
        or 0x202A <= code <= 0x202E
        or 0x2066 <= code <= 0x2069
    )


def printable(text):
    """As a person reads it: on one line."""
    return "".join(
        "\\u{%X}" % ord(c) if is_unprintable(c) else c for c in text
    )


def in_xml(text):
    """What XML cannot carry is U+FFFD."""
    def legal(c):
        code = ord(c)
        return code in (9, 10, 13) or 0x20 <= code <= 0xD7FF or (
            0xE000 <= code <= 0xFFFD) or code >= 0x10000

    return "".join(c if legal(c) else "\uFFFD" for c in text)


def from_sarif(text):
    """A message of SARIF as a reader sees it: escapes undone, links by their text."""
    result, i = "", 0
    while i < len(text):
        c = text[i]
        if c == "\\" and i + 1 < len(text) and text[i + 1] in "[]\\":
            result += text[i + 1]
            i += 2
        elif c in "{}":
            if text[i : i + 2] != c * 2:
                raise ValueError("a lone brace in %r" % text)
            result += c
            i += 2
        elif c == "[":
            result += "\0["
            i += 1
        elif c == "]":
            result += "\0]"
            i += 1
        else:
            result += c
            i += 1
    return result
