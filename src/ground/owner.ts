// Runs root's commands on a data folder of the service's account with that account's rights, since
// a stranger may control it and any file in the folder may be a link. Root's rights are used only
// for a path without a part of that owner's. Checking each link instead was rejected: it can be
// exchanged between the check and the use.

import { lstatSync, readFileSync, readlinkSync, type Stats } from "node:fs";
import os from "node:os";
import path from "node:path";
import { EXIT, Failure, messageOf } from "./errors.ts";

interface Account {
  readonly uid: number;
  readonly gid: number;
  /** Further groups of the account, by which it may read files of its configuration. */
  readonly groups: readonly number[];
}

/** The account whose rights this process uses; null for its own. */
let owner: Account | null = null;

/** Uses the rights of the folder's owner from now on, unless that is root, who runs this. */
export function actAsOwnerOf(dir: string): void {
  if (owner !== null || process.geteuid?.() !== 0) return;
  const account = ownerOf(dir);
  if (account.uid === 0) return;
  take(account);
  drop(account);
}

/** As `actAsOwnerOf`, irrevocably, for a process that keeps running. */
export function becomeOwnerOf(dir: string): void {
  if (owner !== null || process.geteuid?.() !== 0) return;
  const account = ownerOf(dir);
  if (account.uid === 0) return;
  take(account);
  process.setgid?.(account.gid);
  process.setuid?.(account.uid);
  owner = null;
}

/**
 * Runs `work` at `file` with the rights of the user who typed the command, or of the folder's owner
 * if the path contains a part of theirs. `work` must have opened all that it needs when it returns.
 */
export function atPath<Result>(file: string, work: () => Result): Result {
  return owner !== null && isTheirs(file, owner) ? asOwner(work) : asCaller(work);
}

/** Runs `work` with the rights of the user who typed the command. */
export function asCaller<Result>(work: () => Result): Result {
  if (owner === null || process.geteuid?.() !== owner.uid) return work();
  raise();
  try {
    return work();
  } finally {
    drop(owner);
  }
}

/** Runs `work` with the owner's rights, within `atPath` too. */
export function asOwner<Result>(work: () => Result): Result {
  if (owner === null || process.geteuid?.() === owner.uid) return work();
  drop(owner);
  try {
    return work();
  } finally {
    raise();
  }
}

/** The account whose rights are used, to start a process with them; null for the own one. */
export function actingOwner(): Account | null {
  return owner;
}

function take(account: Account): void {
  try {
    process.setgroups?.([account.gid, ...account.groups]);
  } catch (error) {
    throw new Failure(
      EXIT.permission,
      `can't act as user ${account.uid}, who the data folder belongs to (${messageOf(error)})`,
    );
  }
  owner = account;
}

function drop({ uid, gid }: Account): void {
  process.setegid?.(gid);
  process.seteuid?.(uid);
}

function raise(): void {
  process.seteuid?.(0);
  process.setegid?.(0);
}

/** Maximum number of links in a path, more than any system follows. */
const LINKS_MAX = 40;

/**
 * The account that owns the folder (if it doesn't exist, the nearest one above it), or that could
 * place a link in its path. A folder of root's in a folder of another account counts as that
 * account's, which can replace it.
 */
function ownerOf(dir: string): Account {
  let found: Stats | null = null;
  for (const { stats, isLink, holder } of waysTo(dir)) {
    if (isLink && holder.uid !== 0) return accountOf(holder);
    if (isLink && stats.uid !== 0) return accountOf(stats);
    if (found === null || stats.uid !== 0) found = stats;
  }
  return accountOf(found ?? lstatSync("/"));
}

function accountOf({ uid, gid }: Stats): Account {
  if (uid === 0) return { uid, gid, groups: [] };
  process.seteuid?.(uid);
  try {
    const user = os.userInfo();
    return { uid, gid: user.gid, groups: groupsOf(user.username) };
  } catch {
    // The account has no name in the system's list.
    return { uid, gid: gid === 0 ? uid : gid, groups: [] };
  } finally {
    process.seteuid?.(0);
  }
}

function groupsOf(user: string): readonly number[] {
  return readFileSync("/etc/group", "utf8")
    .split("\n")
    .map((line) => line.split(":"))
    .filter(([, , , members = ""]) => members.split(",").includes(user))
    .map(([, , gid]) => Number(gid));
}

/** True if the owner whose rights are used could have made or replaced any part of the path. */
export function isOwners(file: string): boolean {
  return owner !== null && isTheirs(file, owner);
}

/** True if the account could have made or replaced `file`, or a folder or link in its path. */
function isTheirs(file: string, account: Account): boolean {
  for (const { stats, isLink } of waysTo(file))
    if (stats.uid === account.uid || (!isLink && canWrite(stats, account))) return true;
  return false;
}

const STICKY = 0o1000;

function canWrite({ mode, gid }: Stats, account: Account): boolean {
  if ((mode & STICKY) !== 0) return false;
  const isMember = gid === account.gid || account.groups.includes(gid);
  return (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && isMember);
}

interface Step {
  readonly stats: Stats;
  readonly isLink: boolean;
  /** The folder that contains it. */
  readonly holder: Stats;
}

/** Each folder and link in the path to `file`, and of the links' targets, as far as they exist. */
function* waysTo(file: string): Generator<Step> {
  let at = path.parse(path.resolve(file)).root;
  let holder = lstatSync(at);
  const rest = namesOf(path.resolve(file));
  for (let links = 0; rest.length > 0; ) {
    const next = path.join(at, rest.shift() ?? "");
    const stats = statsOf(next);
    if (stats === null) return;
    const isLink = stats.isSymbolicLink();
    yield { stats, isLink, holder };
    if (isLink) {
      links += 1;
      if (links > LINKS_MAX) throw new Failure(EXIT.failed, `${file}: too many links on the way`);
      const target = readlinkSync(next);
      if (path.isAbsolute(target)) at = path.parse(target).root;
      rest.unshift(...namesOf(target));
    } else at = next;
    holder = lstatSync(at);
  }
}

function namesOf(file: string): string[] {
  return file.split(path.sep).filter((name) => name !== "");
}

// The owner may have no access to a folder that root can read.
function statsOf(file: string): Stats | null {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}
