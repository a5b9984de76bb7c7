// The form for a token. It is a password field, so that nobody reads it over the shoulder; the
// token doesn't appear in the address.

import type { ComponentChildren, TargetedSubmitEvent } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { shellWords, laterWords as t } from "../lang/words.ts";
import type { RefusalText } from "../store/checks.ts";
import { giveEngineerToken } from "../store/token.ts";
import { RefusedToken } from "./refused.tsx";

interface TokenFormProps {
  readonly button: string;
  readonly give: (token: string) => void;
  /** Text above the field. */
  readonly children?: ComponentChildren;
  /** True while an act waits for the token: the field takes the focus. */
  readonly isAsked?: boolean;
}

export function TokenForm({ button, give, children, isAsked = false }: TokenFormProps) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isAsked) field.current?.focus();
  }, [isAsked]);
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget).get("token");
    if (typeof given === "string" && given.trim() !== "") give(given.trim());
  };
  return (
    <form class="token" onSubmit={submit} autocomplete="off">
      {children}
      <label>
        {shellWords("token")}{" "}
        <input
          ref={field}
          {...{ name: "token", type: "password", autocomplete: "off", spellcheck: false }}
          // Browsers can't send other characters; the failure would look like a lost connection.
          pattern="\s*[\x21-\x7e]+\s*"
          title={t("token_pattern")}
          required
        />
      </label>{" "}
      <button type="submit">{button}</button>
    </form>
  );
}

interface EngineerTokenFormProps {
  readonly about: string;
  /** The refusal of the last token; null if none was refused. */
  readonly refused: RefusalText | null;
  readonly onGiven?: () => void;
  readonly isAsked?: boolean;
}

export function EngineerTokenForm(props: EngineerTokenFormProps) {
  const { about, refused, isAsked, onGiven = () => {} } = props;
  const give = (token: string) => {
    giveEngineerToken(token);
    onGiven();
  };
  return (
    <>
      <TokenForm button={t("engineer_continue")} give={give} isAsked={isAsked}>
        <p>{about}</p>
        {refused !== null && (
          <p class="problem" role="alert">
            <RefusedToken {...refused} />
          </p>
        )}
      </TokenForm>
      <p class="quiet small">{t("engineer_kept")}</p>
    </>
  );
}
