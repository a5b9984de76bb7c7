// Runs works one after the other, in the order in which they were asked for: each sees what the one
// before has stored. One that fails ends no other.

export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>;

export function oneAfterAnother(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work);
    last = next.catch(() => null);
    return next;
  };
}
