// Downloads one file at a time, read by the page itself, so that it knows the progress and detects
// a cut; with a token there is no other way. It continues while other pages are open. Received data
// is held in blobs, which browsers keep on disk when they grow.

import { parseAnswer, type RefusalText, refusalText } from "../store/checks.ts";
import { saveBlob } from "../store/save.ts";
import { authorization } from "../store/token.ts";
import { useChangesOf } from "../store/use-store.ts";

export type Download =
  | { readonly state: "running"; readonly bytes: number; readonly expected_bytes: number }
  | { readonly state: "cancelled" | "cut"; readonly bytes: number }
  | { readonly state: "finished"; readonly bytes: number; readonly name: string }
  | { readonly state: "unreached" }
  | ({ readonly state: "refused"; readonly status: number } & RefusalText);

/** Size from which received chunks are joined into a blob. */
const FOLDED_BYTES = 4 * 1024 * 1024;
/** Minimum time between two updates of the progress. */
const SHOWN_MS = 200;

let download: Download | null = null;
let running: AbortController | null = null;
let heard_ms = 0;
const listeners = new Set<() => void>();

/** The newest download, null before the first; `heard_ms` is the time of its last byte. */
export function useDownload(): { readonly download: Download | null; readonly heard_ms: number } {
  useChangesOf(listen);
  return { download, heard_ms };
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function cancelDownload(): void {
  running?.abort();
}

function show(changed: Download): void {
  download = changed;
  for (const listener of listeners) listener();
}

/** Downloads the file at `path`; the browser saves it when it is complete. */
export async function startDownload(path: string, expected_bytes: number): Promise<void> {
  if (running !== null) return;
  const abort = new AbortController();
  running = abort;
  heard_ms = performance.now();
  let shown_ms = 0;
  const onBytes = (received: number) => {
    bytes = received;
    heard_ms = performance.now();
    if (heard_ms - shown_ms < SHOWN_MS) return;
    shown_ms = heard_ms;
    show({ state: "running", bytes: received, expected_bytes });
  };
  show({ state: "running", bytes: 0, expected_bytes });
  let bytes: number | null = null;
  try {
    const { signal } = abort;
    const options = { signal, headers: authorization(path), cache: "no-store" } as const;
    const response = await fetch(path.slice(1), options);
    if (response.ok && response.body !== null) {
      const name = nameOf(response);
      const file = await read(response.body.getReader(), onBytes);
      saveBlob(file, name);
      show({ state: "finished", bytes: file.size, name });
    } else {
      const text = refusalText(parseAnswer(await response.text()));
      show({ state: "refused", status: response.status, ...text });
    }
  } catch {
    if (abort.signal.aborted) show({ state: "cancelled", bytes: bytes ?? 0 });
    else show(bytes === null ? { state: "unreached" } : { state: "cut", bytes });
  }
  running = null;
}

/** Reads the whole body; throws if it is cut. */
async function read(
  reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>,
  onBytes: (bytes: number) => void,
): Promise<Blob> {
  let file = new Blob([]);
  let chunks: Uint8Array<ArrayBuffer>[] = [];
  let waiting = 0;
  onBytes(0);
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Blob([file, ...chunks]);
    chunks.push(value);
    waiting += value.length;
    onBytes(file.size + waiting);
    if (waiting < FOLDED_BYTES) continue;
    file = new Blob([file, ...chunks]);
    chunks = [];
    waiting = 0;
  }
}

/** The file's name from the answer's headers. */
function nameOf({ headers }: Response): string {
  return /filename="([^"]+)"/.exec(headers.get("Content-Disposition") ?? "")?.[1] ?? "export";
}
