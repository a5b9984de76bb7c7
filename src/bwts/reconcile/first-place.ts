// A search by halves in a list that is in order: what a book of tens of thousands of lines needs in
// place of looking through all of them for each.

/** The first of `count` places from which on `isTrue`; `count` without one. */
export function firstPlace(count: number, isTrue: (at: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isTrue(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
