// Tokens over HTTP: one that a maintainer makes, and that of the first start, which the browser on
// ballastd's own computer may have until a maintainer's was made.

import { CONFIGURED, type TokenBody, type TokenMade } from "../bwts/token.ts";
import { EXIT, Failure } from "../ground/errors.ts";
import type { HttpOptions } from "../http/route.ts";
import { isSetUpOpen } from "../sqlite/file/set-up.ts";
import type { OpenedParts } from "./parts.ts";
import { newSecret } from "./tokens.ts";

/** `configured` is the token of the configuration, or of the first start. */
export function openAskedTokens(parts: OpenedParts, configured: string): HttpOptions["tokens"] {
  const { auth, storage } = parts.config;
  const writerNow = () => {
    if (parts.writer !== null) return parts.writer;
    throw new Failure(EXIT.temporary, "the database is being opened");
  };
  return {
    async make({ name, role }: TokenBody, by): Promise<TokenMade> {
      const { secret, hash } = newSecret();
      const token = { name, role, sha256: hash.toString("hex") };
      await writerNow().call("token_add", token, by);
      return { name, role, token: secret };
    },
    first(): TokenMade | null {
      writerNow();
      if (auth.token !== "" || !isSetUpOpen(storage.dir)) return null;
      return { name: CONFIGURED, role: "maintainer", token: configured };
    },
  };
}
