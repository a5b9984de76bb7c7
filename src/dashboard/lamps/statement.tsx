// The parts of an engineer's statement about a lamp, made at the cabinet on a telephone: which
// lamp, in words and in the reactor's picture, and the second look with the token.

import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { LAMP_NUMBERS } from "../../bwts/tags.ts";
import { lampsWords as t } from "../lang/words.ts";
import { ActOutcomeLine, anyAnswer, useAct } from "../parts/act.tsx";
import { useEscape } from "../parts/open-form.ts";
import type { LampOutlook } from "./lamp-answers.ts";
import { lampName, placeWords, printHours } from "./lamp-words.ts";
import { ReactorPicture } from "./reactor-picture.tsx";

/** `Lamp 07: row 3 from the top, number 1 of 2 from the left; 2,460 h` */
export function whichLamp(lamp: number, outlook: LampOutlook | null): string {
  return t("which_lamp", {
    lamp: lampName(lamp),
    place: placeWords(lamp),
    hours: printHours(outlook?.hours ?? null),
  });
}

interface StatementProps {
  readonly title: string;
  readonly lamp: number;
  readonly which: string;
  /** The step; a change of it moves the focus, because the button of the previous step is gone. */
  readonly step: unknown;
  /** Action of the button *Back* at this step, and of Escape. */
  readonly back: () => void;
  readonly children: ComponentChildren;
}

export function LampStatement({ title, lamp, which, step, back, children }: StatementProps) {
  const place = useRef<HTMLParagraphElement>(null);
  const section = useRef<HTMLElement>(null);
  useEscape(section, back);
  useEffect(() => {
    place.current?.focus();
  }, [step]);
  return (
    <section class="replacement" ref={section} aria-labelledby="replacement">
      <h2 id="replacement">{title}</h2>
      <p class="which" ref={place} tabIndex={-1}>
        {which}
      </p>
      <ReactorPicture lamps={[lamp]} />
      {children}
    </section>
  );
}

interface ConfirmationProps {
  readonly lamp: number;
  readonly question: string;
  readonly yes: string;
  readonly body: object;
  readonly back: () => void;
  readonly onDone: () => void;
  /** A doubt, shown above the buttons. */
  readonly children?: ComponentChildren;
}

export function Confirmation(props: ConfirmationProps) {
  const { lamp, question, yes, body, back, onDone, children } = props;
  const act = useAct(anyAnswer);
  const path = `/admin/lamps/${LAMP_NUMBERS[lamp - 1]}/replacement`;
  return (
    <>
      <p role="status">{question}</p>
      {children}
      <p>
        <button type="button" disabled={act.isBusy} onClick={() => act.run(path, body, onDone)}>
          {yes}
        </button>{" "}
        <button type="button" onClick={back}>
          {t("back")}
        </button>
      </p>
      <ActOutcomeLine act={act} />
    </>
  );
}
