// The value of a point as a button that opens its evidence: a reading, or the readings of its hour
// or day. It is used for values at the cursor and in the table behind a chart.

import type { ComponentChildren } from "preact";
import { Evident } from "../parts/evidence.tsx";
import { BucketReadings } from "./bucket-readings.tsx";
import type { Curve, CurvePoint } from "./curve.ts";

interface PointValueProps {
  readonly curve: Curve;
  /** The point; null: there is none. */
  readonly point: CurvePoint | null;
  readonly children: ComponentChildren;
  readonly test?: string;
}

export function PointValue({ curve, point, children, test }: PointValueProps) {
  const known = point === null || point.value === null ? null : point;
  const length_ms = known === null ? 0 : known.end_ms - known.at_ms;
  const name = curve.label;
  return (
    <Evident
      name={name}
      at_ms={known?.at_ms ?? null}
      of={
        known !== null &&
        length_ms > 0 && <BucketReadings {...{ name, from_ms: known.at_ms, length_ms }} />
      }
      test={test}
    >
      {children}
    </Evident>
  );
}
