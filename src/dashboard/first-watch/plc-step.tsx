// The address that a PLC can reach: each of this computer's on the ship's network, the topic, the
// user. Whether a password is asked is said, the password itself is never shown.

import { partsWords, firstWatchWords as t } from "../lang/words.ts";
import { CopyField } from "../parts/copy-field.tsx";
import { FactList } from "../parts/fact-list.tsx";
import type { PagePart } from "../store/ask.ts";
import type { StepState } from "./setting-fields.ts";
import type { PlcAccess, ShownSettings } from "./settings-answer.ts";
import { WatchStep } from "./watch-step.tsx";

const LOOPBACK = /^(127\.|localhost\b|\[?::1\b)/;

interface PlcAddressProps {
  readonly settings: PagePart<ShownSettings>;
}

export function PlcAddressStep({ settings }: PlcAddressProps) {
  const plc = settings.problem === null ? (settings.known?.value.plc ?? null) : null;
  return (
    <WatchStep name="plc" title={t("plc_title")} state={plcState(plc)} aside={plc?.addresses[0]}>
      {plc === null ? (
        <p class="quiet">{t("needs_token")}</p>
      ) : (
        <>
          <PlcAddresses plc={plc} />
          <FactList
            facts={[
              [t("user"), plc.user ?? t("no_user")],
              [t("password"), t(plc.password ? "password_asked" : "no_password")],
              [t("encrypted"), partsWords(plc.tls ? "yes" : "no")],
            ]}
          />
        </>
      )}
    </WatchStep>
  );
}

function plcState(plc: PlcAccess | null): StepState {
  if (plc === null) return "unknown";
  return isReachable(plc) ? "done" : "caution";
}

const isReachable = ({ addresses }: PlcAccess) => addresses.some((one) => !LOOPBACK.test(one));

function PlcAddresses({ plc }: { plc: PlcAccess }) {
  return (
    <>
      {!isReachable(plc) && (
        <>
          <p class="problem">{t("plc_loopback")}</p>
          <CopyField
            label={t("command")}
            text="sudo ballastd config set mqtt.listen 0.0.0.0:1883"
          />
        </>
      )}
      <div class="form">
        {plc.addresses.map((address) => (
          <CopyField key={address} label={t("plc_address")} text={address} />
        ))}
        {plc.topic !== null && <CopyField label={t("plc_topic")} text={plc.topic} />}
      </div>
    </>
  );
}
