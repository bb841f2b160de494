"""Wraps the comment lines that a rename made too long. Reads the names of Java files from its standard input."""
import re
import sys

WIDTH = 115
COMMENT = re.compile(r"^(\s*)(///|//)( ?)(.*)$")
STARTS = re.compile(r"^(-|\*|\||#|@|\d+\.|```|    )")


def wrap(lines):
    out = []
    todo = list(reversed(lines))
    fenced = False
    while todo:
        line = todo.pop()
        match = COMMENT.match(line)
        if match and match.group(4).strip().startswith("```"):
            fenced = not fenced
        if not match or fenced or len(line) <= WIDTH or match.group(4).lstrip().startswith(("|", "    ")):
            if not match:
                fenced = False
            out.append(line)
            continue
        indent, slashes, space, text = match.groups()
        prefix = indent + slashes + space
        hang = re.match(r"^(\s*(?:- |\* |\d+\. )?)", text).group(1)
        cut = line.rfind(" ", len(prefix) + len(hang) + 20, WIDTH + 1)
        if cut < 0:
            out.append(line)
            continue
        out.append(line[:cut].rstrip())
        rest = line[cut + 1 :].lstrip()
        following = COMMENT.match(todo[-1]) if todo else None
        hanging = " " * len(hang)
        if (
            following
            and following.group(1) == indent
            and following.group(2) == slashes
            and following.group(4).strip()
            and not STARTS.match(following.group(4))
        ):
            kept = re.match(r"^\s*", following.group(4)).group(0)
            todo.pop()
            todo.append(prefix + kept + rest + " " + following.group(4).strip())
        else:
            todo.append(prefix + hanging + rest)
    return out


for name in sys.stdin.read().split():
    with open(name, encoding="utf-8") as file:
        before = file.read()
    after = "\n".join(wrap(before.split("\n")))
    if after != before:
        with open(name, "w", encoding="utf-8") as file:
            file.write(after)
