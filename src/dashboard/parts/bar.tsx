// A bar of 0 to 100 %, with marks for limits. A missing value is an empty, dashed bar, not a bar
// of no length. It repeats a number that stands beside it, so it is hidden from screen readers.

interface BarProps {
  readonly percent: number | null;
  readonly marks?: readonly number[];
}

export function Bar({ percent, marks = [] }: BarProps) {
  return (
    <svg
      class={percent === null ? "bar missing" : "bar"}
      viewBox="0 0 100 6"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <rect class="track" width="100" height="6" />
      {percent !== null && <rect class="fill" width={within(percent)} height="6" />}
      {marks.map((mark) => (
        <rect key={mark} class="limit" x={within(mark) - 0.5} width="1" height="6" />
      ))}
    </svg>
  );
}

function within(percent: number): number {
  return Math.min(100, Math.max(0, percent));
}
