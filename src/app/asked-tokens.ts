// Tokens over HTTP: one that a maintainer makes, and that of the first start, which the browser on
// ballastd's own computer may have until the first one was made.

import { CONFIGURED, type TokenBody, type TokenMade } from "../bwts/token.ts";
import { EXIT, Failure } from "../ground/errors.ts";
import type { HttpOptions } from "../http/route.ts";
import type { OpenedParts } from "./parts.ts";
import { closeSetUp, isSetUpOpen } from "./set-up.ts";
import { newSecret } from "./tokens.ts";

/** `configured` is the token of the configuration, or of the first start. */
export function openAskedTokens(parts: OpenedParts, configured: string): HttpOptions["tokens"] {
  const { config } = parts;
  const { dir } = config.storage;
  const writerNow = () => {
    if (parts.writer !== null) return parts.writer;
    throw new Failure(EXIT.temporary, "the database is being opened");
  };
  return {
    async make({ name, role }: TokenBody, by): Promise<TokenMade> {
      const { secret, hash } = newSecret();
      const token = { name, role, sha256: hash.toString("hex") };
      await writerNow().call("token_add", token, by);
      closeSetUp(dir);
      return { name, role, token: secret };
    },
    first(): TokenMade | null {
      if (config.auth.token !== "" || !isSetUpOpen(dir)) return null;
      if (writerNow().tokens().length === 0)
        return { name: CONFIGURED, role: "maintainer", token: configured };
      closeSetUp(dir);
      return null;
    },
  };
}
