// Control and format characters, among them those that write over a line or turn its direction round.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/** What others have written, so that it can neither start a line of ours nor move the cursor. */
export const onOneLine = (text: string, maxChars = 500): string =>
  text.replace(/\n/g, ', ').replace(UNSEEN, '?').slice(0, maxChars);
