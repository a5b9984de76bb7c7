// The chief engineer's own token, made here or at the command line, and the dashboard's address as
// a QR code for his telephone.

import { firstWatchWords as t } from "../lang/words.ts";
import { useAct } from "../parts/act.tsx";
import { AddressCode } from "../parts/address-code.tsx";
import { CopyField } from "../parts/copy-field.tsx";
import { isLike, listOf, type Read, textOrNull } from "../store/checks.ts";
import { currentValue, useAnswer, useEngineerToken } from "../store/use-store.ts";
import { ChiefToken, readMade } from "./chief-token.tsx";
import { isThisComputer } from "./plc-step.tsx";
import { dashboardFields, type StepState } from "./setting-fields.ts";
import type { ShownSettings } from "./settings-answer.ts";
import { SettingsForm } from "./settings-form.tsx";
import type { Restart } from "./use-restart.ts";
import { WatchStep } from "./watch-step.tsx";

const EVERY_MS = 10_000;
/**
 * Paths of the added and the revoked tokens. The limit is far above the number of tokens of any
 * ship.
 */
const ADDED = "/admin/audit?kind=token_added&limit=1000";
const REVOKED = "/admin/audit?kind=token_revoked&limit=1000";

interface ChiefProps {
  readonly settings: ShownSettings | null;
  /** False if the settings are of an earlier answer. */
  readonly isCurrent: boolean;
  readonly restart: Restart;
}

export function ChiefStep({ settings, isCurrent, restart }: ChiefProps) {
  const { isOpen } = useEngineerToken();
  const added = useAnswer(isOpen ? ADDED : null, readTokens, [], EVERY_MS);
  const revoked = useAnswer(isOpen ? REVOKED : null, readTokens, [], EVERY_MS);
  const names = isOpen
    ? validNames(currentValue(added, EVERY_MS), currentValue(revoked, EVERY_MS))
    : null;
  const making = useAct(readMade);
  const isMade = making.outcome?.known != null;
  const urls = dashboardUrls(settings);
  const [url = null] = urls ?? [];
  return (
    <WatchStep
      name="chief"
      title={t("chief_title")}
      state={isMade ? "open" : chiefState(isCurrent ? names : null, url)}
      isKept={isMade}
    >
      {urls !== null && url === null && <p class="problem">{t("chief_loopback")}</p>}
      {url !== null && (
        <div class="chief-code">
          <AddressCode url={url} label={t("chief_qr")} />
          <div>
            <p>{t("chief_scan")}</p>
            {urls?.map((one) => (
              <CopyField key={one} label={t("dashboard")} text={one} />
            ))}
          </div>
        </div>
      )}
      {settings !== null && (
        <SettingsForm name="chief" fields={dashboardFields()} {...{ settings, restart }} />
      )}
      <p>{t("chief_token")}</p>
      {(settings !== null || isMade) && <ChiefToken making={making} />}
      <CopyField label={t("command")} text="sudo ballastd token add --name chief --role engineer" />
      {names !== null && names.length > 0 && <p>{t("chief_names", { names: names.join(", ") })}</p>}
    </WatchStep>
  );
}

/**
 * The dashboard's addresses on the ship's network: the page's own, or else those on which ballastd
 * listens. Null if that isn't known.
 */
function dashboardUrls(settings: ShownSettings | null): readonly string[] | null {
  const { protocol, origin, pathname } = window.location;
  if (!isThisComputer()) return [`${origin}${pathname}`];
  return settings?.dashboard.map((place) => `${protocol}//${place}/`) ?? null;
}

/** State of the step. The tick needs a valid token, and an address that a telephone can open. */
function chiefState(names: readonly string[] | null, url: string | null): StepState {
  if (names === null) return "unknown";
  return names.length > 0 && url !== null ? "done" : "open";
}

interface TokenEntry {
  readonly id: number;
  readonly name: string;
  readonly role: string | null;
}

const readTokens: Read<readonly TokenEntry[]> = (body) =>
  isLike<{ data: unknown }>(body) ? listOf(body.data, entryIn) : null;

function entryIn(given: unknown): TokenEntry | null {
  if (!isLike<{ id: number; detail: unknown }>(given) || typeof given.id !== "number") return null;
  const detail = isLike<{ name: string; role: string }>(given.detail) ? given.detail : {};
  const name = textOrNull(detail.name);
  return name === null ? null : { id: given.id, name, role: textOrNull(detail.role) };
}

/**
 * Names of engineers' and maintainers' tokens that weren't revoked after they were added; null if
 * that isn't known.
 */
function validNames(
  added: readonly TokenEntry[] | null,
  revoked: readonly TokenEntry[] | null,
): readonly string[] | null {
  if (added === null || revoked === null) return null;
  const valid = added.filter(
    ({ id, name, role }) =>
      (role === "engineer" || role === "maintainer") &&
      !revoked.some((one) => one.name === name && one.id > id),
  );
  return valid.map(({ name }) => name);
}
