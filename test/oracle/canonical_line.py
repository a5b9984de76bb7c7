"""Canonical lines and their Merkle tree, by docs/storage.md, RFC 8785 and RFC 6962."""

import datetime
import hashlib
import json
import math
import re


def object_of(members):
    ordered = sorted(members, key=lambda member: member[0].encode("utf-16-be", "surrogatepass"))
    return "{%s}" % ",".join("%s:%s" % (string_of(name), value) for name, value in ordered)


def time_of(at_ms):
    time = datetime.datetime(1970, 1, 1) + datetime.timedelta(milliseconds=at_ms)
    return '"%s.%03dZ"' % (time.strftime("%Y-%m-%dT%H:%M:%S"), time.microsecond // 1000)


def string_of(text):
    escaped = json.dumps(text, ensure_ascii=False)
    return re.sub("[\ud800-\udfff]", lambda found: "\\u%04x" % ord(found.group()), escaped)


def json_of(value):
    if value is None or isinstance(value, bool):
        return {None: None, True: "true", False: "false"}[value]
    if isinstance(value, float):
        return number_of(value)
    return str(value) if isinstance(value, int) else string_of(value)


def number_of(value):
    """As ECMAScript prints it; the digits are those of repr, the shortest that are exact."""
    if value == 0:
        return "-0" if math.copysign(1, value) < 0 else "0"
    sign = "-" if value < 0 else ""
    mantissa, _, exponent = ("%s" % repr(abs(value))).partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    point = len(whole) + int(exponent or 0) - (len(whole + fraction) - len(digits))
    digits = digits.rstrip("0")
    if 0 < point <= 21:
        whole = digits[:point].ljust(point, "0")
        return sign + (whole if len(digits) <= point else whole + "." + digits[point:])
    if -6 < point <= 0:
        return sign + "0." + "0" * -point + digits
    power = point - 1
    tail = "" if len(digits) == 1 else "." + digits[1:]
    return "%s%s%se%s%d" % (sign, digits[0], tail, "+" if power > 0 else "-", abs(power))


def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def leaf_of(line):
    return sha256(b"\0", line.encode("utf-8"))


def tree(leaves):
    """RFC 6962, section 2.1: the left tree has the largest power of two below the count."""
    if len(leaves) == 1:
        return leaves[0]
    left = split(len(leaves))
    return sha256(b"\1", tree(leaves[:left]), tree(leaves[left:]))


def split(count):
    return 1 << (count - 1).bit_length() - 1


def path(place, leaves):
    """RFC 6962, section 2.1.1: the audit path."""
    if len(leaves) == 1:
        return []
    left = split(len(leaves))
    if place < left:
        return path(place, leaves[:left]) + [tree(leaves[left:])]
    return path(place - left, leaves[left:]) + [tree(leaves[:left])]
