"""The runner's side of GitHub's workflow commands, after their documentation."""


def parse(text):
    """The commands of an output, each as its name, properties and message."""
    return [command(line) for line in lines(text)]


def lines(text):
    """A line ends with a line feed, a carriage return, or both."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not text.endswith("\n"):
        raise ValueError("the last command has no end")
    return text[:-1].split("\n")


def command(line):
    if not line.startswith("::"):
        raise ValueError("no command: %r" % line)
    head, end, message = line[2:].partition("::")
    if not end:
        raise ValueError("no end of the head: %r" % line)
    name, _, rest = head.partition(" ")
    if name not in ("error", "warning", "notice"):
        raise ValueError("no such command: %r" % name)
    properties = {}
    for pair in rest.strip().split(",") if rest else []:
        key, equals, value = pair.partition("=")
        if not (key and equals and value):
            raise ValueError("no property: %r" % pair)
        for code, character in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ",")):
            value = value.replace(code, character)
        properties[key] = value.replace("%25", "%")
    for code, character in (("%0D", "\r"), ("%0A", "\n")):
        message = message.replace(code, character)
    return name, properties, message.replace("%25", "%")
