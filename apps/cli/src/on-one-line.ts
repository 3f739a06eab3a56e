// Control and format characters, also those that overwrite a line or change its direction.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/** Foreign text on one line: it can neither start a new line nor move the cursor. */
export const onOneLine = (text: string, maxChars = 500): string =>
  text.replace(/\n/g, ', ').replace(UNSEEN, '?').slice(0, maxChars);
