const FORMULA = /^[=+\-@\t\r]/;
const NUMBER = /^-?\d+(?:\.\d+)?$/;
const TO_QUOTE = /[",;\r\n]/;
/** Spreadsheets take a file that begins so for UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';

/** A cell by RFC 4180. What a spreadsheet would run as a formula begins with an apostrophe, so that it stays text. */
export function csvCell(text: string): string {
  const harmless = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return TO_QUOTE.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

export const csvOf = (titles: readonly string[], rows: readonly (readonly string[])[]): string =>
  BYTE_ORDER_MARK + [titles, ...rows].map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('');
