// The result of a proof of all that is stored, as the job records it and other answers read it. One
// that was made before any readings were sealed proved nothing.

/** A complete proof in words: `17 of 17 segments checked`; those that have expired are left out. */
export function proofResult(
  { segments, of_segments }: { readonly segments: number; readonly of_segments: number },
  problems: number,
): string {
  return `${segments} of ${of_segments} segments checked, ${problems} problems known`;
}

/** True of a proof that was made before any readings were sealed: it proved nothing. */
export const isProofOfNothing = (result: string) => /^0 (of \d+ )?segments/.test(result);
