// Further fields of the latest reading. Labels and units are the catalogue's; a field that the
// plant didn't send is a dash.

import { indexOfTag, TAGS, type TagName } from "../../bwts/tags.ts";
import { printMoment } from "../parts/moments.ts";
import { printLabel, printValue } from "../parts/numbers.ts";
import { isStale } from "../parts/stale.ts";
import type { ShownReading } from "../store/answers.ts";
import type { PagePart } from "../store/ask.ts";

/** The summary shows the intensity; all 101 fields are at /api/telemetry/latest. */
const SHOWN: readonly TagName[] = [
  "PROCESS_STATE",
  "operation_type",
  "location",
  "COMPLIANCE_MODE",
  "SYS_FLOW_RATE",
  "SYS_PRESSURE",
  "UVR_POWER_OUTPUT",
  "UVR_WATER_TEMP",
  "FLT_DIFF_PRESSURE",
  "FLT_BACKFLUSH_ACTIVE",
  "LDC_AIR_TEMP",
  "LDC_WATER_ALARM",
  "AVG_LAMP_EFFICIENCY",
  "CIP_HOURS_SINCE_LAST",
];

export function ReadingTable(props: { reading: PagePart<ShownReading | null>; now_ms: number }) {
  const { reading, now_ms } = props;
  const latest = reading.known?.value ?? null;
  const stale = latest !== null && isStale(latest, now_ms);
  return (
    <section aria-labelledby="reading">
      <h2 id="reading">
        Reading
        {latest !== null && <small> of {printMoment(latest.at_ms, now_ms)}</small>}
        {stale && <strong class="tag">STALE</strong>}
      </h2>
      {reading.known !== null && latest === null && <p>No reading yet.</p>}
      {latest !== null && (
        <dl class={stale ? "values old" : "values"}>
          {SHOWN.map((name) => (
            <Value key={name} name={name} reading={latest} />
          ))}
        </dl>
      )}
    </section>
  );
}

function Value({ name, reading }: { name: TagName; reading: ShownReading }) {
  const index = indexOfTag(name);
  return (
    <div data-test={name}>
      <dt title={TAGS[index].about}>{printLabel(TAGS[index])}</dt>
      <dd>{printValue(TAGS[index], reading.values[index])}</dd>
    </div>
  );
}
