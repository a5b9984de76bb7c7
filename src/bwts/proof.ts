// The result of a proof of all that is stored, as the job records it and other answers read it. One
// that was made before any readings were sealed proved nothing.

/** A complete proof in words. */
export function proofResult(segments: number, problems: number): string {
  return `${segments} segments checked, ${problems} problems known`;
}

/** True of a proof that was made before any readings were sealed: it proved nothing. */
export const isProofOfNothing = (result: string) => result.startsWith("0 segments");
