// Linux's facts about a process (/proc): processor time, memory, bytes written. And the folder's
// size, for contenders that keep their data in many files.

import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { MINUTE_MS, SECOND_MS } from "../../src/ground/clock.ts";

export interface Memory {
  readonly resident_mib: number;
  readonly anonymous_mib: number;
  /** The highest that `resident_mib` ever was. */
  readonly peak_mib: number;
}

export function memoryOf(pid: number): Memory {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const mib = (name: string) => numberAfter(status, name) / 1024;
  return { resident_mib: mib("VmRSS:"), anonymous_mib: mib("RssAnon:"), peak_mib: mib("VmHWM:") };
}

/** Files and sockets that a process has open. */
export function openDescriptors(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** Bytes that a process had written to storage: pages, without the file system's journal. */
export function writtenBytes(pid: number): number {
  return numberAfter(readFileSync(`/proc/${pid}/io`, "utf8"), "\nwrite_bytes:");
}

/** Processor time of all threads, in ms. */
export function processor_ms(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The name in brackets may hold spaces; utime and stime are the 14th and 15th field, in 1/100 s.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return 10 * (Number(fields[11]) + Number(fields[12]));
}

/** The highest `anonymous_mib` until `stop`, looked at twice a second. */
export function watchMemory(pid: number): { stop(): number } {
  let highest_mib = 0;
  const look = () => {
    highest_mib = Math.max(highest_mib, memoryOf(pid).anonymous_mib);
  };
  look();
  const timer = setInterval(look, SECOND_MS / 2);
  return {
    stop() {
      clearInterval(timer);
      look();
      return highest_mib;
    },
  };
}

/** Beyond what runs every few seconds by the clock: that much of one processor is being busy. */
const IDLE_SHARE = 0.05;
const QUIET_SECONDS = 7;
const SETTLE_MAX_MS = 60 * MINUTE_MS;

/** Waits until a process has been idle for 7 s, and returns after how long that began, in s. */
export async function settled(pid: number): Promise<number> {
  const began_ms = Date.now();
  let quiet = 0;
  while (quiet < QUIET_SECONDS) {
    if (Date.now() - began_ms > SETTLE_MAX_MS) throw new Error(`process ${pid}: never idle`);
    const before_ms = processor_ms(pid);
    await sleep(SECOND_MS);
    quiet = processor_ms(pid) - before_ms < IDLE_SHARE * SECOND_MS ? quiet + 1 : 0;
  }
  return Math.max(0, (Date.now() - began_ms) / SECOND_MS - QUIET_SECONDS);
}

/** All files in a folder and the folders in it, in bytes. */
export function folderBytes(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => statSync(path.join(entry.parentPath, entry.name)).size)
    .reduce((sum, bytes) => sum + bytes, 0);
}

function numberAfter(text: string, name: string): number {
  const at = text.indexOf(name);
  if (at < 0) throw new Error(`/proc: no ${name.trim()}`);
  return Number.parseInt(text.slice(at + name.length), 10);
}
