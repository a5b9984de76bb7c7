// The page First watch: a checklist from the installed package to the first verdict, whose ticks
// appear by themselves. Later the same things are changed here. Writing needs a maintainer's token,
// reading none.

import "./first-watch.css";
import { useEffect, useState } from "preact/hooks";
import { firstWatchWords as t } from "../lang/words.ts";
import { CopyField } from "../parts/copy-field.tsx";
import { type PageProps, page } from "../parts/page.tsx";
import { Guarded } from "../parts/panel.tsx";
import { ProblemBanner } from "../parts/problem.tsx";
import { EngineerTokenForm } from "../parts/token-form.tsx";
import type { PagePart } from "../store/ask.ts";
import { currentValue, useAnswer, useEngineerToken, useNow } from "../store/use-store.ts";
import { readSystem, SYSTEM_PATH } from "../system/facts.ts";
import { BackupStep } from "./backup-step.tsx";
import { ChiefStep } from "./chief-step.tsx";
import { MessageStep } from "./message-step.tsx";
import { isThisComputer, PlcAddressStep } from "./plc-step.tsx";
import { refusedLogin } from "./refused-login.ts";
import { SetUpHere } from "./set-up-here.tsx";
import {
  certificateFields,
  furtherFields,
  limitsState,
  missingOf,
  type SettingField,
  shipFields,
  shipState,
} from "./setting-fields.ts";
import { CONFIG_PATH, readInForce, readSettings, type ShownSettings } from "./settings-answer.ts";
import { SettingsForm } from "./settings-form.tsx";
import { type Restart, useRestart } from "./use-restart.ts";
import { WatchStep } from "./watch-step.tsx";

const EVERY_MS = 10_000;
const SOON_MS = 2_000;
const VIEW = {};

export const firstWatchPage = page(VIEW, FirstWatch);

function FirstWatch(_: PageProps<typeof VIEW>) {
  const now_ms = useNow();
  const { isOpen, refused: refusedToken } = useEngineerToken();
  const [every_ms, setEvery] = useState(EVERY_MS);
  const system = useAnswer(SYSTEM_PATH, readSystem, ["alert"], every_ms);
  const run = useAnswer("/readyz", readInForce, ["alert"], every_ms);
  const answer = useAnswer(isOpen ? CONFIG_PATH : null, readSettings, ["alert"], every_ms);
  const restart = useRestart();
  useEffect(() => {
    setEvery(restart.state === "waiting" || restart.state === "late" ? SOON_MS : EVERY_MS);
  }, [restart.state]);
  const settings = isOpen || refusedToken !== null ? answer : NOT_ASKED;
  // A tick needs the settings of now. A form stays through a failed request, and when the token is
  // revoked, with what was typed and the answer that it waits for: a restart fails some.
  const known = isOpen ? currentValue(settings, EVERY_MS) : null;
  const isCurrent = known !== null;
  const kept = settings.known?.value ?? null;
  const inForce = currentValue(run, EVERY_MS);
  const shared = { settings, restart };
  const facts = currentValue(system, EVERY_MS);
  const refused = facts === null ? null : refusedLogin(facts, now_ms);
  return (
    <div class="first-watch">
      <h2>{t("title")}</h2>
      <p>{t("about")}</p>
      <RestartLine restart={restart} />
      <Guarded>
        <TokenLine
          settings={settings}
          isOpen={isOpen}
          isNew={isThisComputer() || shipState(inForce, known) === "open"}
        />
      </Guarded>
      <ol class="watch-steps">
        <WatchStep
          name="ship"
          title={t("ship_title")}
          state={shipState(inForce, known)}
          aside={["vessel", "imo", "utc_offset"]
            .map((key) => inForce?.get(`system.${key}`) ?? "")
            .filter((one) => one !== "")
            .join(" · ")}
        >
          <StepForm name="ship" fields={shipFields()} {...shared} />
        </WatchStep>
        <WatchStep
          name="limits"
          title={t("limits_title")}
          state={limitsState(inForce, known)}
          aside={limitsAside(known)}
        >
          <p>{t("limits_about")}</p>
          <StepForm
            name="limits"
            fields={certificateFields()}
            further={furtherFields()}
            {...shared}
          />
        </WatchStep>
        <PlcAddressStep settings={kept} {...{ isCurrent, restart, refused }} />
        <MessageStep refused={refused} settings={kept} restart={restart} />
        <ChiefStep settings={kept} {...{ isCurrent, restart }} />
        <BackupStep {...{ facts, now_ms, restart }} settings={kept} />
      </ol>
    </div>
  );
}

const NOT_ASKED: PagePart<ShownSettings> = { known: null, problem: null };

function limitsAside(known: ShownSettings | null): string {
  if (known === null) return "";
  const missing = missingOf(certificateFields(), known);
  return missing.length === 0
    ? String(known.values.get("system.certificate")?.value ?? "")
    : t("missing", { names: missing.map(({ label }) => label).join(", ") });
}

interface StepFormProps {
  readonly name: string;
  readonly fields: readonly SettingField[];
  readonly further?: readonly SettingField[];
  readonly settings: PagePart<ShownSettings>;
  readonly restart: Restart;
}

/** The form of a step; it stays as it is while the settings are requested again. */
function StepForm({ settings, ...rest }: StepFormProps) {
  if (settings.known === null) return <p class="quiet">{t("needs_token")}</p>;
  return <SettingsForm settings={settings.known.value} {...rest} />;
}

function RestartLine({ restart: { state, address } }: { restart: Restart }) {
  if (state === "none") return null;
  return (
    <div data-test="restart" data-state={state}>
      <p class={state === "late" ? "problem" : state === "back" ? "quiet" : "banner"} role="status">
        {t(`restart_${state}`)}
      </p>
      {address !== null && state !== "back" && (
        <p>
          {t("dashboard")}: <a href={address}>{address}</a>
        </p>
      )}
      {state === "late" && <CopyField label={t("command")} text="sudo systemctl status ballastd" />}
    </div>
  );
}

interface TokenLineProps {
  readonly settings: PagePart<ShownSettings>;
  readonly isOpen: boolean;
  /** True if the set-up may begin without a token. */
  readonly isNew: boolean;
}

/** Asks for the token if none is known, or if its role isn't sufficient. */
function TokenLine({ settings: { known, problem }, isOpen, isNew }: TokenLineProps) {
  const { refused } = useEngineerToken();
  const isLost = !isOpen && refused !== null && known !== null;
  const isTooSmall = problem?.status === 401 || problem?.status === 403;
  if (isOpen && !isTooSmall) return <ProblemBanner problem={problem} />;
  return (
    <section aria-labelledby="token">
      <h3 id="token">{t("token_title")}</h3>
      {!isOpen && isNew && <SetUpHere />}
      {isLost && <p class="problem">{t("token_lost")}</p>}
      <EngineerTokenForm about={t("token_about")} refused={isTooSmall ? problem : refused} />
    </section>
  );
}
