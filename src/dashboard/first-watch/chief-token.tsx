// Makes the chief's token and shows it once: as a text, and as a QR code of the text for his
// telephone. It is never in an address, which a browser would remember.

import type { TargetedSubmitEvent } from "preact";
import { shellWords, firstWatchWords as t } from "../lang/words.ts";
import { ActOutcomeLine, type EngineerAct } from "../parts/act.tsx";
import { AddressCode } from "../parts/address-code.tsx";
import { CopyField } from "../parts/copy-field.tsx";
import { isLike, type Read, textOrNull } from "../store/checks.ts";
import { isReadable } from "./plc-step.tsx";

const TOKENS_PATH = "/admin/tokens";

interface MadeToken {
  readonly name: string;
  readonly token: string;
}

export const readMade: Read<MadeToken> = (body) => {
  if (!isLike<MadeToken>(body)) return null;
  const [name, token] = [textOrNull(body.name), textOrNull(body.token)];
  return name === null || token === null ? null : { value: { name, token } };
};

/**
 * The form for the token. A made token is shown until the user confirms that it is saved, even over
 * a restart of ballastd.
 */
export function ChiefToken({ making: act }: { readonly making: EngineerAct<MadeToken> }) {
  const made = act.outcome?.known?.value ?? null;
  const make = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const name = String(given.get("name")).trim();
    act.run(TOKENS_PATH, { name, role: String(given.get("role")) });
  };
  if (made !== null) return <MadeTokenShown {...made} forget={act.forget} />;
  return (
    <>
      {isReadable() && <p class="problem">{t("chief_readable")}</p>}
      <form onSubmit={make} autocomplete="off">
        <div class="form">
          <label>
            {t("chief_name")}
            <input name="name" defaultValue="chief" required pattern="[A-Za-z0-9_.\-]{1,64}" />
          </label>
          <label>
            {t("chief_role")}
            <select name="role">
              <option value="maintainer">{t("role_maintainer")}</option>
              <option value="engineer">{t("role_engineer")}</option>
            </select>
          </label>
        </div>
        <button type="submit" disabled={act.isBusy}>
          {t("chief_make")}
        </button>
      </form>
      <ActOutcomeLine act={act} />
    </>
  );
}

function MadeTokenShown({ name, token, forget }: MadeToken & { forget(): void }) {
  return (
    <div class="chief-code" data-test="made-token">
      <AddressCode url={token} label={t("chief_made_qr")} />
      <div>
        <p role="status">{t("chief_made", { name })}</p>
        <CopyField label={shellWords("token")} text={token} />
        <p>{t("chief_made_scan")}</p>
        <button type="button" onClick={forget}>
          {t("chief_kept")}
        </button>
      </div>
    </div>
  );
}
