// The configuration's part of the inspection sheet: ship, treatment system, source of the limits,
// versions. A key that isn't set is null, and an empty box on the sheet.

import type { SheetSource } from "../../bwts/documents/sheet.ts";
import type { Config } from "../../config/config.ts";
import type { Build } from "../../ground/assets.ts";

export function sheetSource(
  { system }: Pick<Config, "system">,
  { version, built_ms }: Pick<Build, "version" | "built_ms">,
  simulated: boolean,
): SheetSource {
  const known = (given: string) => (given.trim() === "" ? null : given);
  return {
    ...{ built_ms, version, simulated, utc_offset: system.utc_offset },
    ship: {
      ...{ vessel: known(system.vessel), imo: known(system.imo), system_id: system.id },
      ...{ system_type: known(system.type), serial: known(system.serial) },
      certificate: known(system.certificate),
      capacity_m3_h: system.capacity === 0 ? null : system.capacity,
    },
  };
}
