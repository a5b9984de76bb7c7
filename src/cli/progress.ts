// Shows the progress of a long command: one line on a terminal, rewritten each time. Files and
// pipes get none of it.

/** Minimum time between two updates of the line. */
const PROGRESS_MS = 200;

/** Passes on the batches of an export, and shows the number of items so far on a terminal. */
export function* withProgress<Item>(
  batches: Iterable<readonly Item[]>,
  progress: { count: number; readonly total: number },
): Generator<readonly Item[]> {
  const isShown = process.stderr.isTTY;
  let shown_ms = 0;
  for (const batch of batches) {
    yield batch;
    progress.count += batch.length;
    if (!isShown || performance.now() - shown_ms < PROGRESS_MS) continue;
    shown_ms = performance.now();
    process.stderr.write(`\rexporting: ${progress.count} of ${progress.total} readings`);
  }
  if (isShown) process.stderr.write("\r\x1b[K");
}
