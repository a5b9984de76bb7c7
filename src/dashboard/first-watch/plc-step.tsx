// The address that a PLC can reach: each of this computer's on the ship's network, the topic, the
// user. The step mentions that a password is needed, but never shows it.

import { partsWords, firstWatchWords as t } from "../lang/words.ts";
import { CopyField } from "../parts/copy-field.tsx";
import { FactList } from "../parts/fact-list.tsx";
import type { RefusedPlc } from "./refused-login.ts";
import { plcFields, type StepState } from "./setting-fields.ts";
import type { PlcAccess, ShownSettings } from "./settings-answer.ts";
import { SettingsForm } from "./settings-form.tsx";
import { TestMessage } from "./test-message.tsx";
import type { Restart } from "./use-restart.ts";
import { WatchStep } from "./watch-step.tsx";

interface PlcAddressProps {
  readonly settings: ShownSettings | null;
  /** False if the settings are of an earlier answer. */
  readonly isCurrent: boolean;
  readonly restart: Restart;
  readonly refused: RefusedPlc | null;
}

export function PlcAddressStep({ settings, isCurrent, restart, refused }: PlcAddressProps) {
  const plc = settings?.plc ?? null;
  return (
    <WatchStep
      name="plc"
      title={t("plc_title")}
      state={plcState(isCurrent ? plc : null, refused)}
      aside={plc?.addresses[0]}
    >
      {refused !== null && <p class="problem">{refused.text}</p>}
      {plc === null ? (
        <p class="quiet">{t("needs_token")}</p>
      ) : (
        <>
          {plc.problem !== null && (
            <p class="problem">
              {t("plc_unreachable")} <span lang="en">{plc.problem}</span>
            </p>
          )}
          {!plc.isLan && plc.problem === null && <p class="problem">{t("plc_loopback")}</p>}
          {plc.isClient && <p>{t("plc_client")}</p>}
          <div>
            {plc.addresses.map((address) => (
              <CopyField key={address} label={t("plc_address")} text={address} />
            ))}
            {plc.topic !== null && (
              <CopyField label={t("plc_topic")} text={`${plc.topic}/telemetry`} />
            )}
            {plc.user !== null && <CopyField label={t("user")} text={plc.user} />}
          </div>
          <FactList
            facts={[
              ...(plc.user === null ? [[t("user"), t("no_user")] as const] : []),
              [t("password"), t(plc.password ? "password_asked" : "no_password")],
              [t("encrypted"), partsWords(plc.tls ? "yes" : "no")],
            ]}
          />
          {!plc.isClient && <TestMessage />}
        </>
      )}
      {settings !== null && plc?.isClient === false && (
        <>
          <p>{t(isReadable() ? "plc_readable" : "plc_change")}</p>
          <SettingsForm name="plc" fields={plcFields()} {...{ settings, restart }} />
        </>
      )}
    </WatchStep>
  );
}

/** True if text typed here crosses the network unencrypted. */
export const isReadable = () => window.location.protocol === "http:" && !isThisComputer();

/** True if the page was opened on ballastd's computer, at a loopback address. */
export function isThisComputer(): boolean {
  return /^(127\.|localhost$|\[::1\]$)/.test(window.location.hostname);
}

/**
 * State of the step: done if a PLC on the network can reach ballastd, and not while all logins are
 * refused.
 */
function plcState(plc: PlcAccess | null, refused: RefusedPlc | null): StepState {
  if (refused?.isAlone) return "caution";
  if (plc === null) return "unknown";
  return plc.isLan && plc.addresses.length > 0 && plc.problem === null ? "done" : "caution";
}
