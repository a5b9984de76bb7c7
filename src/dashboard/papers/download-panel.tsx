// The size of the chosen file, the button, the progress, and the result of the download. The
// browser itself downloads a file that is too large for the page to hold.

import { useEffect, useState } from "preact/hooks";
import type { ExportSize } from "../../bwts/export-size.ts";
import { exportWords as t } from "../lang/words.ts";
import { printAge } from "../parts/moments.ts";
import { printBytes } from "../parts/numbers.ts";
import { Panel } from "../parts/panel.tsx";
import { RefusedRequest } from "../parts/refused.tsx";
import { hasToken } from "../store/token.ts";
import { useAnswer, useNow } from "../store/use-store.ts";
import { type ChosenRange, type ExportChoice, estimatePath, filePath } from "./choice.ts";
import { cancelDownload, type Download, startDownload, useDownload } from "./download.ts";
import { readExportSize } from "./size-answer.ts";

/** Maximum size of a file that the page holds itself: an old tablet has no memory for more. */
const HELD_BYTES_MAX = 256e6;
/** Time without a received byte after which the page reports that. */
const QUIET_MS = 10_000;
/** Pause after the last change of the choice before the size is asked for. */
const SETTLED_MS = 300;

interface DownloadPanelProps {
  readonly choice: ExportChoice;
  readonly range: ChosenRange;
}

export function DownloadPanel({ choice, range }: DownloadPanelProps) {
  const asked = estimatePath(choice, range);
  const settled = useSettled(asked);
  // Another choice gets a new panel, so that the previous size doesn't stay.
  return <SizePanel key={asked} asked={settled === asked ? asked : null} {...{ choice, range }} />;
}

function useSettled(path: string): string {
  const [settled, setSettled] = useState(path);
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(path), SETTLED_MS);
    return () => window.clearTimeout(timer);
  }, [path]);
  return settled;
}

function SizePanel(props: DownloadPanelProps & { readonly asked: string | null }) {
  const part = useAnswer(props.asked, readExportSize);
  const isRunning = useDownload().download?.state === "running";
  const path = filePath(props.choice, props.range);
  return (
    <Panel name="size" title={t("size")} part={part}>
      {(size) => (
        <>
          <p data-test="size">{sizeText(size)}</p>
          {size.rows > 0 && <Start path={path} size={size} isRunning={isRunning} />}
        </>
      )}
    </Panel>
  );
}

function sizeText({ rows, bytes, exact, measured_rows }: ExportSize): string {
  if (rows === 0) return t("nothing");
  const [size, lines] = [printBytes(bytes), t("lines", { n: rows })];
  return exact
    ? t("exact_size", { size, lines })
    : t("about_size", { size, lines, measured: measured_rows });
}

interface StartProps {
  readonly path: string;
  readonly size: ExportSize;
  readonly isRunning: boolean;
}

function Start({ path, size, isRunning }: StartProps) {
  if (size.bytes <= HELD_BYTES_MAX)
    return (
      <button
        type="button"
        disabled={isRunning}
        onClick={() => void startDownload(path, size.bytes)}
      >
        {t("download")}
      </button>
    );
  if (hasToken())
    return (
      <p>
        {t("too_large_token")} <code>ballastd export</code>
      </p>
    );
  return (
    <>
      <p>{t("too_large")}</p>
      <a class="button" href={path.slice(1)} download>
        {t("by_browser")}
      </a>
    </>
  );
}

/** The running download, or the result of the last one, whatever the present choice. */
export function DownloadProgress() {
  const { download, heard_ms } = useDownload();
  useNow();
  if (download === null) return null;
  if (download.state !== "running") return <Ending download={download} />;
  const { bytes, expected_bytes } = download;
  const quiet_ms = performance.now() - heard_ms;
  // The estimate may be too low; a running download never shows 100 %.
  const share = Math.min(0.99, bytes / Math.max(1, expected_bytes));
  const done = t("progress", { done: printBytes(bytes), size: printBytes(expected_bytes) });
  return (
    <section class="download" aria-label={t("download")}>
      <progress value={share} max={1} aria-label={done} />
      <p data-test="progress">
        {done} {quiet_ms > QUIET_MS && <strong>{t("quiet", { age: printAge(quiet_ms) })}</strong>}
      </p>
      <button type="button" onClick={cancelDownload}>
        {t("cancel")}
      </button>
    </section>
  );
}

function Ending({ download }: { download: Exclude<Download, { state: "running" }> }) {
  const isWell = download.state === "finished" || download.state === "cancelled";
  return (
    <p class={isWell ? "" : "problem"} role={isWell ? "status" : "alert"} data-test="ending">
      {endingText(download)} {download.state === "refused" && <RefusedRequest {...download} />}
    </p>
  );
}

function endingText(download: Download): string {
  switch (download.state) {
    case "finished":
      return t("finished", { name: download.name, size: printBytes(download.bytes) });
    case "cancelled":
    case "cut":
      return t(download.state, { size: printBytes(download.bytes) });
    case "refused":
      return t("refused", { status: download.status });
    case "unreached":
      return t("unreached");
    case "running":
      return "";
  }
}
