// Detects that ballastd is back after a requested restart: then another run answers. The id of the
// newest event contains the run's name; the process may be the same.

import { useEffect, useRef, useState } from "preact/hooks";
import { isLike, type Read, textOrNull } from "../store/checks.ts";
import { useAnswer } from "../store/use-store.ts";

/** Maximum time of a restart: a start takes seconds, on a slow disk some more. */
const RESTART_MAX_MS = 60_000;
const EVERY_MS = 2_000;

/** `late`: the maximum time has passed, and ballastd isn't back. */
export type RestartState = "none" | "waiting" | "late" | "back";

export interface Restart {
  readonly state: RestartState;
  /** The page's new address; null if it doesn't change. */
  readonly address: string | null;
  /** Called before the restart is requested: on a busy page the answer may arrive after it. */
  prepare(): void;
  begin(address: string | null): void;
}

/** The page's address after `http.listen` has changed; null if it doesn't change. */
export function addressAfter(listen: string): string | null {
  const { protocol, hostname, host } = window.location;
  const places = listen
    .split(/,\s*/)
    .map((place) => place.replace(/^(0\.0\.0\.0|\[::\]):/, `${hostname}:`));
  return places.includes(host) ? null : `${protocol}//${places[0]}/`;
}

/** Reads the run's name from an event id such as `1a2b-17`. */
const readRun: Read<string> = (body) => {
  const id = isLike<{ last_event_id: string }>(body) ? textOrNull(body.last_event_id) : null;
  return id === null ? null : { value: id.replace(/-[^-]*$/, "") };
};

export function useRestart(): Restart {
  const [before, setBefore] = useState<string | null>(null);
  const [hasBegun, setBegun] = useState(false);
  const [isLate, setLate] = useState(false);
  const [isBack, setBack] = useState(false);
  const [address, setAddress] = useState<string | null>(null);
  const isWaiting = hasBegun && !isBack;
  const part = useAnswer("/api/overview", readRun, ["resync"], isWaiting ? EVERY_MS : null);
  const run = part.known?.value ?? null;
  useEffect(() => {
    if (!isWaiting) return;
    const timer = window.setTimeout(() => setLate(true), RESTART_MAX_MS);
    return () => window.clearTimeout(timer);
  }, [isWaiting]);
  useEffect(() => {
    if (isWaiting && run !== null && run !== before) setBack(true);
  }, [isWaiting, run]);
  const asked = useRef<string | null>(null);
  const prepare = () => {
    asked.current = run;
  };
  const begin = (given: string | null) => {
    setAddress(given);
    setBefore(asked.current);
    setBegun(true);
    setLate(false);
    setBack(false);
  };
  if (!hasBegun) return { state: "none", address, prepare, begin };
  return { state: isBack ? "back" : isLate ? "late" : "waiting", address, prepare, begin };
}
