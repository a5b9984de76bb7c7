// Open calls to the writer's thread, by number: each is settled once, and all that are left when
// the thread dies are rejected together.

interface Pending {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

export interface Calls {
  /** Sends a call under a number of its own and waits until that number is settled. */
  expect<Result>(send: (seq: number) => void): Promise<Result>;
  resolve(seq: number, result: unknown): void;
  reject(seq: number, error: Error): void;
  rejectAll(error: Error): void;
}

export function openCalls(): Calls {
  const pending = new Map<number, Pending>();
  let last = 0;
  const take = (seq: number) => {
    const waiting = pending.get(seq);
    pending.delete(seq);
    return waiting;
  };
  return {
    expect: (send) =>
      new Promise((resolve, reject) => {
        last += 1;
        pending.set(last, { resolve, reject });
        send(last);
      }),
    resolve: (seq, result) => take(seq)?.resolve(result),
    reject: (seq, error) => take(seq)?.reject(error),
    rejectAll(error) {
      for (const seq of [...pending.keys()]) take(seq)?.reject(error);
    },
  };
}
