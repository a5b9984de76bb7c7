// Runs asynchronous works one after another, in the order of the calls: each sees what the one
// before has stored. A failed one doesn't stop the others.

export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>;

export function oneAfterAnother(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work);
    last = next.catch(() => null);
    return next;
  };
}
