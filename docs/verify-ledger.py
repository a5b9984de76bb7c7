#!/usr/bin/env python3
"""Verifies what the ledger of a ballastd says, on any computer with Python 3.8 or later.

usage: verify-ledger.py [--key KEY]... [--head FILE]... [--proof FILE [--lines FILE]]
                        [--claim LEAF]... [--ship IMO]
       verify-ledger.py [--key KEY]... [--head FILE]... --pack FOLDER [--ship IMO]

  --key KEY     a key that you trust: name+id+key as `ballastd ledger head` prints it, or SHA256:...
                as an inspection sheet of an earlier visit has it
  --head FILE   a signed head that was kept: on paper, in a mail, from an earlier visit
  --proof FILE  what `ballastd ledger prove` wrote
  --lines FILE  the readings that the proof is about: the NDJSON lines, unchanged
  --claim LEAF  what the proof has to prove, such as "event 12"
  --ship IMO    the IMO number of the ship whose ledger the proof has to be of
  --pack FOLDER an inspector's pack: all its files, and the verdicts in it

It checks that heads are signed by a trusted key, or by a key that follows from one; that what the
proof shows is in the tree of its head; that the tree only grew since each head that was kept; and
that each line is a reading that was sealed. It prints what is proven, and ends with 0; or names
what is wrong, and ends with 1. It needs nothing but Python's standard library, and shares no code
with ballastd. It can't tell if what the treatment system sent was true.
"""

import base64
import binascii
import functools
import hashlib
import json
import os
import re
import struct
import sys

FORMAT = "ballastd ledger proof 1"
TITLE = "ballastd ledger key"
HASH_BYTES = 32


class Bad(Exception):
    """What was given isn't what it says it is."""


# Ed25519 (RFC 8032), verification only.

P = 2**255 - 19
Q = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT_OF_MINUS_1 = pow(2, (P - 1) // 4, P)


def point_add(one, other):
    a = (one[1] - one[0]) * (other[1] - other[0]) % P
    b = (one[1] + one[0]) * (other[1] + other[0]) % P
    c = 2 * one[3] * other[3] * D % P
    d = 2 * one[2] * other[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def point_times(factor, point):
    total = (0, 1, 1, 0)
    while factor > 0:
        if factor & 1:
            total = point_add(total, point)
        point = point_add(point, point)
        factor >>= 1
    return total


def point_of(data):
    """The point that 32 bytes encode; None if they encode none."""
    y = int.from_bytes(data, "little")
    sign = y >> 255
    y &= (1 << 255) - 1
    if y >= P:
        return None
    x2 = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    if x2 == 0:
        return None if sign else (0, y, 1, 0)
    x = pow(x2, (P + 3) // 8, P)
    if (x * x - x2) % P != 0:
        x = x * ROOT_OF_MINUS_1 % P
    if (x * x - x2) % P != 0:
        return None
    if (x & 1) != sign:
        x = P - x
    return (x, y, 1, x * y % P)


BASE = point_of((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))


@functools.lru_cache(maxsize=1000)
def is_signature(key, message, signature):
    """True if the Ed25519 key signed the message."""
    if len(key) != 32 or len(signature) != 64:
        return False
    a, r = point_of(key), point_of(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if a is None or r is None or s >= Q:
        return False
    digest = hashlib.sha512(signature[:32] + key + message).digest()
    h = int.from_bytes(digest, "little") % Q
    left, right = point_times(s, BASE), point_add(r, point_times(h, a))
    return (left[0] * right[2] - right[0] * left[2]) % P == 0 and (
        left[1] * right[2] - right[1] * left[2]
    ) % P == 0


# Trees (RFC 6962, section 2.1).


def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def leaf_hash(data):
    return sha256(b"\x00", data)


def node_hash(left, right):
    return sha256(b"\x01", left, right)


def left_size(size):
    """The largest power of two below the size."""
    return 1 << ((size - 1).bit_length() - 1)


def root_of_inclusion(leaf, index, size, path):
    if not 0 <= index < size:
        raise Bad("leaf %d isn't one of %d" % (index, size))
    sides = []
    begin, end = 0, size
    while end - begin > 1:
        middle = begin + left_size(end - begin)
        sides.append(index >= middle)
        begin, end = (middle, end) if index >= middle else (begin, middle)
    if len(sides) != len(path):
        raise Bad("leaf %d of %d has a path of %d, expected %d" % (index, size, len(path), len(sides)))
    root = leaf
    for is_right, beside in zip(reversed(sides), path):
        root = node_hash(beside, root) if is_right else node_hash(root, beside)
    return root


def check_growth(before, size, root_before, root, path):
    """Raises Bad unless the tree of `before` leaves is the beginning of that of `size`."""
    if not 0 < before <= size:
        raise Bad("%d leaves can't have grown to %d" % (before, size))
    left = list(path)

    def roots(begin, end):
        if end == before:
            known = root_before if begin == 0 else take()
            return known, known
        middle = begin + left_size(end - begin)
        if before <= middle:
            old, grown = roots(begin, middle)
            return old, node_hash(grown, take())
        old, grown = roots(middle, end)
        beside = take()
        return node_hash(beside, old), node_hash(beside, grown)

    def take():
        if not left:
            raise Bad("the path from %d to %d leaves is too short" % (before, size))
        return left.pop(0)

    if roots(0, size) != (root_before, root) or left:
        raise Bad("the tree of %d leaves isn't the beginning of that of %d" % (before, size))


def root_of_rows(known, first, size, path):
    """The root over `size` rows, of which those from `first` on are known."""
    end_known = first + len(known)
    if not known or first < 0 or end_known > size:
        raise Bad("rows %d to %d aren't rows of %d" % (first, end_known - 1, size))
    left = list(path)

    def walk(begin, end):
        if end <= first or begin >= end_known:
            if not left:
                raise Bad("the path of rows from %d on is too short" % first)
            return left.pop(0)
        if end - begin == 1:
            return known[begin - first]
        middle = begin + left_size(end - begin)
        one = walk(begin, middle)
        return node_hash(one, walk(middle, end))

    root = walk(0, size)
    if left:
        raise Bad("the path of rows from %d on is too long" % first)
    return root


# Notes and heads (c2sp.org/signed-note, c2sp.org/tlog-checkpoint).


def unbase64(text, length=None):
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError, TypeError):
        raise Bad("%.60r isn't base64" % (text,)) from None
    if base64.b64encode(data).decode() != text:
        raise Bad("%.60r isn't base64 in its one form" % (text,))
    if length is not None and len(data) != length:
        raise Bad("%.60r has %d bytes, expected %d" % (text, len(data), length))
    return data


class Key:
    """A name and an Ed25519 key, as a verifier key tells them."""

    def __init__(self, text):
        found = re.fullmatch(r"([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)", text)
        if found is None:
            raise Bad("%.80r isn't a verifier key: expected name+id+key" % (text,))
        self.text = text
        self.name = found.group(1)
        typed = unbase64(found.group(3), 33)
        if typed[0] != 1:
            raise Bad("%.80r isn't an Ed25519 key" % (text,))
        self.key = typed[1:]
        self.id = sha256(self.name.encode(errors="surrogateescape") + b"\n" + typed)[:4]
        if self.id.hex() != found.group(2):
            raise Bad("%.80r: its id isn't that of its key" % (text,))

    def fingerprint(self):
        """As `ssh-keygen -l` prints it, and an inspection sheet."""
        kind = b"ssh-ed25519"
        blob = struct.pack(">I", len(kind)) + kind + struct.pack(">I", len(self.key)) + self.key
        return "SHA256:" + base64.b64encode(sha256(blob)).decode().rstrip("=")

    def signed(self, note):
        """True if this key signed the note; raises Bad for a wrong signature of it."""
        own = [s for name, key_id, s in note.signatures if (name, key_id) == (self.name, self.id)]
        for signature in own:
            if not is_signature(self.key, note.text.encode(), signature):
                raise Bad("the signature of %s doesn't fit the text" % self.name)
        return len(own) > 0


class Fingerprint:
    """A key of which only the fingerprint is known."""

    def __init__(self, text):
        if not re.fullmatch(r"SHA256:[A-Za-z0-9+/]{43}", text):
            raise Bad("%.80r isn't the fingerprint of a key: expected SHA256: and 43 letters" % (text,))
        self.text = text


def trusted_key(text):
    return Fingerprint(text) if text.startswith("SHA256:") else Key(text)


class Note:
    def __init__(self, text):
        if re.search("[\x00-\x09\x0b-\x1f]", text):
            raise Bad("a note has no control characters but the ends of its lines")
        at = text.rfind("\n\n")
        if at < 0 or not text.endswith("\n"):
            raise Bad("a note has an empty line, and signatures")
        self.text = text[: at + 1]
        self.signatures = [self.signature(line) for line in text[at + 2 : -1].split("\n")]
        if len(self.signatures) > 16:
            raise Bad("%d signatures: expected 16 at most" % len(self.signatures))

    @staticmethod
    def signature(line):
        found = re.fullmatch("\u2014 ([^\\s+]+) ([A-Za-z0-9+/=]+)", line)
        if found is None:
            raise Bad("%.80r isn't the line of a signature" % (line,))
        data = unbase64(found.group(2))
        return found.group(1), data[:4], data[4:]

    def signer(self, keys):
        """The first of the keys that signed this."""
        found = [key for key in keys if key.signed(self)]
        if found:
            return found[0]
        names = ", ".join(name for name, _, _ in self.signatures)
        raise Bad("signed by %s, and by no key that is known" % names)


class Tree:
    """Origin, size and root."""

    def __init__(self, words):
        if len(words) != 3:
            raise Bad("a head has origin, size and root, these are %d" % len(words))
        self.origin = words[0]
        if not re.fullmatch(r"[!-*,-~]{1,200}", self.origin):
            raise Bad("%.80r isn't an origin" % (self.origin,))
        if not re.fullmatch(r"0|[1-9][0-9]{0,14}", words[1]):
            raise Bad("%.80r isn't a size" % (words[1],))
        self.size = int(words[1])
        self.root = unbase64(words[2], HASH_BYTES)


class Head(Tree):
    def __init__(self, text):
        self.note = Note(text)
        lines = self.note.text.split("\n")
        if len(lines) != 4:
            raise Bad("a head has 3 lines, this one has %d" % (len(lines) - 1))
        super().__init__(lines[:3])

    def signer(self, keys):
        """The key that signed this: one of the head's own origin."""
        return self.note.signer([key for key in keys if key.name == self.origin])


class KeyStatement:
    """From here on heads of an origin are signed by a key."""

    NAMES = ("key", "before", "continues", "follows", "reason", "at")
    # A statement that names the ship has these besides.
    SHIP = ("imo", "vessel", "system")

    def __init__(self, text):
        note = Note(text)
        lines = note.text.split("\n")
        is_named = len(lines) == len(self.NAMES + self.SHIP) + 2
        if lines[0] != TITLE or not (is_named or len(lines) == len(self.NAMES) + 2):
            raise Bad("it isn't a statement about a key")
        said = {}
        for name, line in zip(self.NAMES + self.SHIP if is_named else self.NAMES, lines[1:]):
            if not line.startswith(name + " "):
                raise Bad("%.80r: expected %s" % (line, name))
            said[name] = line[len(name) + 1 :]
        self.key = Key(said["key"])
        self.before = None if said["before"] == "none" else Key(said["before"])
        self.continues = tree_or_none(said["continues"])
        self.follows = tree_or_none(said["follows"])
        self.reason, self.at = said["reason"], said["at"]
        # Null of a statement from before ships were named.
        self.imo = said.get("imo")
        if not self.key.signed(note):
            raise Bad("its own key didn't sign it")
        self.is_signed_before = self.before is not None and self.before.signed(note)


def tree_or_none(text):
    return None if text == "none" else Tree(text.split(" "))


# Proofs.


def members(value, names, what):
    if not isinstance(value, dict) or set(value) != set(names):
        raise Bad("%s: expected the members %s" % (what, ", ".join(names)))
    return [value[name] for name in names]


def whole(value, what):
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise Bad("%s: %.60r isn't a number" % (what, value))
    return value


def text_of(value, what):
    if not isinstance(value, str):
        raise Bad("%s: %.60r isn't a text" % (what, value))
    return value


def list_of(value, what):
    if not isinstance(value, list):
        raise Bad("%s: expected a list" % what)
    return value


def path_of(value, what):
    return [unbase64(text_of(one, what), HASH_BYTES) for one in list_of(value, what)]


def no_twins(pairs):
    found = dict(pairs)
    if len(found) != len(pairs):
        raise Bad("a member stands twice in one object")
    return found


def read_proof(data):
    """The proof as ballastd wrote it; any other text of the same content is refused."""
    try:
        text = data.decode("utf-8")
        proof = json.loads(text, object_pairs_hook=no_twins)
        same = json.dumps(proof, sort_keys=True, separators=(",", ":"), ensure_ascii=False) + "\n"
    except (ValueError, RecursionError) as error:
        raise Bad("it isn't JSON (%s)" % error) from None
    if same != text:
        raise Bad("it isn't written as ballastd writes it")
    return proof


LEAF = r"([a-z]+) ([1-9][0-9]{0,14}) ([0-9a-f]{64})"
ROWS = r" ([1-9][0-9]{0,5}) ([0-9a-f]{64})"


class Leaf:
    """A leaf's text: kind, number, hash; of a segment also its rows and their root."""

    def __init__(self, text):
        found = re.fullmatch(LEAF, text) or re.fullmatch(LEAF + ROWS, text)
        if found is None or (found.group(1) == "segment") != (found.re.groups == 5):
            raise Bad("%.100r isn't a leaf" % (text,))
        self.text, self.kind = text, found.group(1)
        self.name = "%s %s" % (self.kind, found.group(2))
        self.hash = bytes.fromhex(found.group(3))
        self.rows = int(found.group(4)) if self.kind == "segment" else None
        self.root = bytes.fromhex(found.group(5)) if self.kind == "segment" else None


def check_about(leaf, about):
    """Proves what the leaf is about, and returns it as a text to print."""
    what = leaf.name
    if leaf.kind == "segment":
        names = ("header", "payload_hash", "previous")
        header, payload_hash, previous = members(about, names, what)
        header = unbase64(header)
        # Of fixed length: or else bytes could be moved from one part into the next.
        made = sha256(header, unbase64(payload_hash, HASH_BYTES), unbase64(previous, HASH_BYTES))
        if made == leaf.hash:
            check_header(leaf, header)
        shown = "%d readings" % leaf.rows
    elif leaf.kind == "event":
        identity, facts, previous = [
            text_of(one, what) for one in members(about, ("identity", "facts", "previous"), what)
        ]
        made = sha256(sha256(identity.encode()), facts.encode(), unbase64(previous, HASH_BYTES))
        shown = identity
    elif leaf.kind == "audit":
        entry, previous = [text_of(one, what) for one in members(about, ("entry", "previous"), what)]
        made = sha256(entry.encode(), unbase64(previous, HASH_BYTES))
        shown = entry
    else:
        (shown,) = [text_of(one, what) for one in members(about, ("statement",), what)]
        made = sha256(shown.encode())
    if made != leaf.hash:
        raise Bad("%s isn't what its leaf says" % what)
    return shown


def check_header(leaf, header):
    """The header of a segment begins with its format, its rows' number, two times, their root."""
    count, at, shift = 0, 1, 0
    while at < len(header):
        count |= (header[at] & 127) << shift
        shift += 7
        at += 1
        if header[at - 1] < 128:
            break
    root = header[at + 16 : at + 16 + HASH_BYTES]
    if header[:1] != b"\x01" or (count, root) != (leaf.rows, leaf.root):
        raise Bad("%s has another root or other rows than its header" % leaf.name)
    first, last = struct.unpack("<dd", header[at : at + 16])
    if not first <= last:
        raise Bad("%s: its times aren't times" % leaf.name)


def check_keys(given, head, trusted, say):
    """Follows who signed from the first key to the head's; returns all of them."""
    statements = []
    for number, one in enumerate(list_of(given, "keys"), 1):
        what = "key %d" % number
        index, statement, path, grown = members(one, ("index", "statement", "path", "grown"), what)
        try:
            text = text_of(statement, "statement")
            said = KeyStatement(text)
            said.index = whole(index, "index")
            leaf = "key %d %s" % (number, sha256(text.encode()).hex())
            check_leaf(leaf, said.index, path, head)
            check_next(statements[-1] if statements else None, said)
            if said.continues is None:
                if grown is not None:
                    raise Bad("it continues nothing, and has a path")
            else:
                tree = said.continues
                check_growth(tree.size, head.size, tree.root, head.root, path_of(grown, "grown"))
        except Bad as bad:
            raise Bad("%s: %s" % (what, bad)) from None
        statements.append(said)
        signed = "" if said.before is None or said.is_signed_before else "; NOT signed by the key before"
        say("key %d: %s since %s (%s)%s" % (number, said.key.text, said.at, said.reason, signed))
        if said.follows is not None:
            say("  a head of %d leaves of %s isn't part of it" % (said.follows.size, said.follows.origin))
    if not statements:
        raise Bad("keys: there is none")
    check_trust(statements, trusted, say)
    return statements


def check_next(before, said):
    """A statement follows from the one before it."""
    if before is None:
        if said.before is not None or said.continues is not None:
            raise Bad("it isn't the first, and the one before is missing")
        return
    if said.before is None or said.before.text != before.key.text:
        raise Bad("it names another key before than the statement before it")
    if said.index <= before.index:
        raise Bad("it stands before the statement before it")
    if said.key.name == before.key.name:
        if not said.is_signed_before:
            raise Bad("the key was exchanged, and the key before didn't sign that")
        if said.continues is not None:
            raise Bad("the origin stays, and continues another")
    elif said.continues is None or said.continues.origin != before.key.name:
        raise Bad("it doesn't continue the origin before")
    elif said.continues.size != said.index:
        raise Bad("it continues a tree of %d leaves as leaf %d" % (said.continues.size, said.index))


def check_trust(statements, trusted, say):
    if not trusted:
        say("NOT COMPARED: no --key was given to compare these keys with")
        return
    known = {key.text for key in trusted}
    # A trusted key vouches for those that follow it, each signed by the one before.
    is_known = False
    for said in statements:
        is_own = said.key.text in known or said.key.fingerprint() in known
        is_known = is_own or (is_known and said.is_signed_before)
    if not is_known:
        raise Bad("no trusted key is the head's, or leads to it")


def check_leaf(text, index, path, head):
    root = root_of_inclusion(leaf_hash(text.encode()), index, head.size, path_of(path, "path"))
    if root != head.root:
        raise Bad("it isn't leaf %d of the head's tree" % index)


def check_rows(rows, leaves, lines, say):
    """Every line is a sealed reading, in the order of the proof, and none is there twice."""
    at, ends = 0, {}
    for number, one in enumerate(list_of(rows, "rows"), 1):
        what = "rows %d" % number
        leaf, first, count, path = members(one, ("leaf", "from", "count", "path"), what)
        if whole(leaf, what) >= len(leaves) or leaves[leaf].kind != "segment":
            raise Bad("%s: leaf %d of the proof isn't a segment" % (what, leaf))
        known = [leaf_hash(line) for line in lines[at : at + whole(count, what)]]
        if len(known) != count or count == 0:
            raise Bad("%s: line %d is missing" % (what, at + len(known) + 1))
        segment = leaves[leaf]
        if whole(first, what) < ends.get(segment.name, 0):
            raise Bad("%s: row %d of %s stands twice, or before another" % (what, first, segment.name))
        ends[segment.name] = first + count
        try:
            root = root_of_rows(known, first, segment.rows, path_of(path, what))
        except Bad as bad:
            raise Bad("%s: %s" % (what, bad)) from None
        if root != segment.root:
            where = "lines %d to %d" % (at + 1, at + count)
            raise Bad("%s aren't rows %d to %d of %s" % (where, first, first + count - 1, segment.name))
        at += count
    if at < len(lines):
        raise Bad("line %d isn't in the proof" % (at + 1))
    if lines:
        say("%d lines: readings that were sealed in %d segments" % (len(lines), len(ends)))


def show(text):
    """Prints a line; what a stranger wrote can't begin another one, or control a terminal."""
    shown = re.sub("[\x00-\x09\x0b-\x1f\x7f-\x9f]", lambda one: repr(one.group())[1:-1], text)
    print(shown.replace("\n", "\n  "))


def check_forks(kept):
    """No two heads of one origin and size have two roots."""
    roots = {}
    for one in kept:
        if roots.setdefault((one.origin, one.size), one.root) != one.root:
            raise Bad("two trees of %d leaves were signed: %s is a fork" % (one.size, one.origin))


def check_ship(statements, leaf_list, ship):
    """The head's key names the ship, and so does every verdict that names one."""
    if statements[-1].imo is None:
        raise Bad("the ledger doesn't name the ship")
    if statements[-1].imo != ship:
        raise Bad("it is the ledger of the ship %s, not of %s" % (statements[-1].imo, ship))
    for one in list_of(leaf_list, "leaves"):
        text, about = str(one.get("leaf")), one.get("about")
        said = None if about is None else ship_of_verdict(about.get("statement"))
        if text.startswith("verdict ") and said is not None and said != ship:
            name = " ".join(text.split(" ")[:2])
            raise Bad("%s: is of the ship %s, not of %s" % (name, said, ship))


def ship_of_verdict(statement):
    """The IMO number in a verdict's statement; None if it names no ship."""
    try:
        imo = json.loads(statement)["operation"]["ship"]["imo"]
    except (ValueError, TypeError, KeyError):
        return None
    return imo if isinstance(imo, str) else None


def verify(proof=None, lines=None, heads=(), keys=(), claims=(), say=show, ship=None):
    """Raises Bad for the first thing that is wrong. All of it is bytes, keys are texts."""
    trusted = [trusted_key(text) for text in keys]
    kept = [Head(decoded(one)) for one in heads]
    if proof is None:
        if any(isinstance(key, Fingerprint) for key in trusted):
            raise Bad("a head alone needs a key as name+id+key: its fingerprint checks no signature")
        for head in kept:
            head.signer(trusted)
            say("head of %d leaves: signed by %s" % (head.size, head.origin))
        if not kept or claims:
            raise Bad("nothing was given to verify" if not kept else "no proof of what is claimed")
        check_forks(kept)
        return
    given = read_proof(proof)
    names = ("format", "head", "keys", "earlier", "leaves", "rows")
    form, head_text, key_list, earlier, leaf_list, rows = members(given, names, "the proof")
    if form != FORMAT:
        raise Bad("format %.60r: expected %s" % (form, FORMAT))
    head = Head(text_of(head_text, "head"))
    statements = check_keys(key_list, head, trusted, say)
    head.signer([statements[-1].key])
    say("head of %d leaves: signed by %s" % (head.size, head.origin))
    check_kept(kept, head, earlier, statements, say)
    leaves, proven = [], set()
    for number, one in enumerate(list_of(leaf_list, "leaves"), 1):
        text, index, path, about = members(one, ("leaf", "index", "path", "about"), "leaf %d" % number)
        leaf = Leaf(text_of(text, "leaf"))
        try:
            check_leaf(text, whole(index, "index"), path, head)
            shown = None if about is None else check_about(leaf, about)
        except Bad as bad:
            raise Bad("%s: %s" % (leaf.name, bad)) from None
        if shown is not None:
            proven.add(leaf.name)
            say("%s is in it as leaf %d: %s" % (leaf.name, index, shown))
        elif leaf.kind != "segment":
            raise Bad("%s: nothing tells what it is about" % leaf.name)
        leaves.append(leaf)
    if ship is not None:
        check_ship(statements, leaf_list, ship)
    for claim in claims:
        if claim not in proven:
            raise Bad("%s: isn't in the proof" % claim)
    if lines is not None or rows:
        check_rows(rows, leaves, split_lines(lines or b""), say)


# The inspector's pack.

LISTED = r"([0-9a-f]{64})  ([A-Za-z0-9][A-Za-z0-9.-]{0,60})"
LIST, LIST_PROOF = "files.txt", "files.proof.json"


def verify_pack(folder, heads=(), keys=(), say=show, ship=None):
    """Raises Bad with all that is wrong: files that differ from the list that the ship signed."""

    def read(name):
        with open(os.path.join(folder, name), "rb") as file:
            return file.read()

    listed = read(LIST)
    lines = [re.fullmatch(LISTED, line) for line in decoded(listed).split("\n")[:-1]]
    if not listed.endswith(b"\n") or None in lines or not lines:
        raise Bad("%s isn't a list of files" % LIST)
    hashes = {line.group(2): line.group(1) for line in lines}
    if len(hashes) != len(lines):
        raise Bad("%s names a file twice" % LIST)
    proof = read(LIST_PROOF)
    verify(proof, None, heads, keys, (), say, ship)
    check_list(proof, sha256(listed).hex())
    faults = []
    for name in sorted(set(os.listdir(folder)) - set(hashes) - {LIST, LIST_PROOF}):
        faults.append("%s: was added, it isn't of this pack" % name)
    texts = {}
    for name, known in hashes.items():
        try:
            texts[name] = read(name)
        except OSError:
            faults.append("%s: was taken away, or can't be read" % name)
            continue
        if sha256(texts[name]).hex() != known:
            faults.append("%s: was altered" % name)
    if faults:
        raise Bad("\n".join(["the files aren't those that the ship signed"] + faults))
    say("%d files: as the ship signed them" % len(hashes))
    for name, text in texts.items():
        if name.endswith(".proof.json"):
            verify(text, None, (), keys, (), lambda _: None, ship)
            say("%s: %s" % (name[: -len(".proof.json")], verdict_in(text)))


def check_list(proof, digest):
    """The audit log's entry about the pack names the list."""
    for one in json.loads(proof.decode())["leaves"]:
        if not str(one["leaf"]).startswith("audit "):
            continue
        _, _, kind, _, _, detail = json.loads(one["about"]["entry"])
        said = json.loads(detail) if isinstance(detail, str) else detail
        if kind == "printed" and said.get("files_sha256") == digest:
            return
    raise Bad("%s isn't the list that the ship signed" % LIST)


def verdict_in(proof):
    """The verdict that a proof is about, in words."""
    for one in json.loads(proof.decode())["leaves"]:
        if str(one["leaf"]).startswith("verdict "):
            said = json.loads(one["about"]["statement"])["operation"]
            words = [said.get("operation_type"), said.get("start"), said.get("end"), said.get("verdict")]
            return ", ".join(str(word).replace("_", " ") for word in words if word is not None)
    raise Bad("it proves no verdict")


def check_kept(kept, head, earlier, statements, say):
    """The tree of each head that was kept is the beginning of this one."""
    known = [said.key for said in statements]
    grown = None
    if earlier is not None:
        size, root, path = members(earlier, ("size", "root", "path"), "earlier")
        grown = whole(size, "earlier"), unbase64(root, HASH_BYTES)
        check_growth(grown[0], head.size, grown[1], head.root, path_of(path, "earlier"))
    for one in kept:
        one.signer(known)
        is_same = (one.size, one.root) == (head.size, head.root)
        if one.size == head.size and not is_same:
            raise Bad("two trees of %d leaves were signed: %s is a fork" % (one.size, one.origin))
        if not is_same and grown is None:
            raise Bad("the proof has no path from the head of %d leaves" % one.size)
        if not is_same and grown[0] != one.size:
            raise Bad("the proof is about a head of %d leaves, not of %d" % (grown[0], one.size))
        if not is_same and grown[1] != one.root:
            raise Bad("the head of %d leaves that was kept is no head of this tree" % one.size)
        say("it only grew since the head of %d leaves that was kept" % one.size)


def split_lines(data):
    if data and not data.endswith(b"\n"):
        raise Bad("the last line has no end")
    return data.split(b"\n")[:-1]


def kept_head(data):
    """A head as a scanner of QR codes or an editor wrote it, with the lines' ends that were signed."""
    if data.startswith(b"\xef\xbb\xbf"):
        data = data[3:]
    return data.replace(b"\r\n", b"\n").rstrip(b"\n") + b"\n"


def decoded(data):
    try:
        return data.decode("utf-8")
    except ValueError:
        raise Bad("it isn't UTF-8") from None


def main(words):
    names = ("--key", "--head", "--proof", "--lines", "--claim", "--ship", "--pack")
    given = {name: [] for name in names}
    if len(words) % 2 != 0 or not words or any(name not in given for name in words[::2]):
        print(__doc__.strip())
        return 2
    for name, value in zip(words[::2], words[1::2]):
        given[name].append(value)
    if len(given["--proof"]) > 1 or len(given["--lines"]) > len(given["--proof"]):
        print("expected one --proof, and one --lines of it")
        return 2
    if len(given["--ship"]) > len(given["--proof"] + given["--pack"]):
        print("expected one --ship, and the --proof that is of her ledger")
        return 2
    if given["--pack"] and (len(given["--pack"]) > 1 or given["--proof"] or given["--claim"]):
        print("expected one --pack, without --proof and --claim")
        return 2

    def read(name):
        with open(name, "rb") as file:
            return file.read()

    try:
        proof = read(given["--proof"][0]) if given["--proof"] else None
        lines = read(given["--lines"][0]) if given["--lines"] else None
        heads = [kept_head(read(name)) for name in given["--head"]]
        ship = given["--ship"][0] if given["--ship"] else None
        if given["--pack"]:
            verify_pack(given["--pack"][0], heads, given["--key"], ship=ship)
        else:
            verify(proof, lines, heads, given["--key"], given["--claim"], ship=ship)
    except OSError as error:
        show("%s can't be read: %s" % (error.filename, error.strerror))
        return 2
    except Bad as bad:
        where = " ".join(given["--proof"] + given["--pack"] + given["--lines"] or given["--head"])
        show("WRONG: %s: %s" % (where, bad))
        return 1
    print("all of this is proven")
    return 0


if __name__ == "__main__":
    # Names and events are of any script, and some terminals are not.
    sys.stdout.reconfigure(errors="backslashreplace")
    sys.exit(main(sys.argv[1:]))
