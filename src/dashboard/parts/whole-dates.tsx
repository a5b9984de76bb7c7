// A text with its days and times kept whole. Chromium breaks a line after the hyphen of `2027-05-`,
// and no style forbids it but `nowrap`; a hyphen that doesn't break would be copied with the day.

const MOMENT = /(\d{4}-\d\d-\d\d(?: \d\d:\d\d(?::\d\d)?)?)/;

export function WholeDates({ text }: { readonly text: string }) {
  const pieces = text.split(MOMENT);
  if (pieces.length === 1) return <>{text}</>;
  return (
    <>
      {pieces.map((piece, index) =>
        index % 2 === 0 ? (
          piece
        ) : (
          <span key={index} class="whole">
            {piece}
          </span>
        ),
      )}
    </>
  );
}
