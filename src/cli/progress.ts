// The progress of a command that takes long: a line on a terminal, written over again. A file or a
// pipe gets none of it.

/** Time between two lines. */
const PROGRESS_MS = 200;

/** The batches of an export, counted as they are taken, with the count on a terminal. */
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
