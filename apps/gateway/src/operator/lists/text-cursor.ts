/** A cursor of texts. Opaque to callers, it gives no access by itself. `list` names the list. */
export const textCursor = (list: string, ...texts: readonly string[]): string =>
  Buffer.from(JSON.stringify([list, ...texts])).toString('base64url');

/** Undefined: it is none of this list. */
export function parseTextCursor(list: string, cursor: string): readonly string[] | undefined {
  try {
    const [of, ...texts] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    return of === list && texts.every((one) => typeof one === 'string') ? texts : undefined;
  } catch {
    return undefined;
  }
}
