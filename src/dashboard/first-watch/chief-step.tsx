// The chief engineer's own token, and the address of this page as a QR code for his telephone. A
// token is made at the command line and shown there once: it never stands in an address, which a
// browser would remember.

import { firstWatchWords as t } from "../lang/words.ts";
import { AddressCode } from "../parts/address-code.tsx";
import { CopyField } from "../parts/copy-field.tsx";
import { isLike, listOf, type Read, textOrNull } from "../store/checks.ts";
import { useAnswer, useEngineerToken } from "../store/use-store.ts";
import type { StepState } from "./setting-fields.ts";
import { WatchStep } from "./watch-step.tsx";

const EVERY_MS = 10_000;
/** More tokens than this were hardly revoked again. */
const ADDED = "/admin/audit?kind=token_added&limit=1000";
const REVOKED = "/admin/audit?kind=token_revoked&limit=1000";

export function ChiefStep() {
  const { isOpen } = useEngineerToken();
  const added = useAnswer(isOpen ? ADDED : null, readTokens, [], EVERY_MS);
  const revoked = useAnswer(isOpen ? REVOKED : null, readTokens, [], EVERY_MS);
  const names =
    isOpen && added.problem === null && revoked.problem === null
      ? validNames(added.known?.value ?? null, revoked.known?.value ?? null)
      : null;
  const isHere = LOOPBACK.test(window.location.hostname);
  return (
    <WatchStep name="chief" title={t("chief_title")} state={chiefState(names, isHere)}>
      {isHere ? (
        <>
          <p class="problem">{t("chief_loopback")}</p>
          <CopyField
            label={t("command")}
            text="sudo ballastd config set http.listen 0.0.0.0:8080"
          />
        </>
      ) : (
        <div class="chief-code">
          <AddressCode
            url={`${window.location.origin}${window.location.pathname}`}
            label={t("chief_qr")}
          />
          <p>{t("chief_scan")}</p>
        </div>
      )}
      <p>{t("chief_token")}</p>
      <CopyField label={t("command")} text="sudo ballastd token add --name chief --role engineer" />
      {names !== null && names.length > 0 && <p>{t("chief_names", { names: names.join(", ") })}</p>}
    </WatchStep>
  );
}

const LOOPBACK = /^(127\.|localhost$|\[::1\]$)/;

/** A tick needs a token that is valid and an address that a telephone can open. */
function chiefState(names: readonly string[] | null, isHere: boolean): StepState {
  if (names === null) return "unknown";
  return names.length > 0 && !isHere ? "done" : "open";
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

/** Engineers' and maintainers' tokens that weren't revoked after they were added. */
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
