// The result of the proof of all stored data, as the job records it and other answers read it. A
// proof made before any readings were sealed proved nothing.

/**
 * The result of a complete proof in words: `17 of 17 segments checked`; expired segments aren't
 * counted.
 */
export function proofResult(
  { segments, of_segments }: { readonly segments: number; readonly of_segments: number },
  problems: number,
): string {
  return `${segments} of ${of_segments} segments checked, ${problems} problems known`;
}

/** True for the result of a proof made before any readings were sealed. */
export const isProofOfNothing = (result: string) => /^0 (of \d+ )?segments/.test(result);
