/** Behind which document a list goes on. */
export interface Place {
  readonly at: Date;
  readonly id: string;
}

/** Opaque to callers, it gives no access by itself. `list` names the list and its order. */
export const textCursor = (list: string, ...parts: readonly (string | number)[]): string =>
  Buffer.from(JSON.stringify([list, ...parts])).toString('base64url');

/** The parts of a cursor. Undefined: it is none of this list. */
export function parseCursor(list: string, cursor: string): readonly string[] | undefined {
  try {
    const [of, ...parts] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    return of === list && parts.every(isPart) ? parts.map(String) : undefined;
  } catch {
    return undefined;
  }
}

const isPart = (part: unknown): part is string | number => typeof part === 'string' || typeof part === 'number';

/** The cursor of a list by dates. */
export const cursorOf = (list: string, { at, id }: Place): string => textCursor(list, at.getTime(), id);

/** The parts of such a cursor. Undefined: they are none. */
export function placeBehind([ms, id]: readonly string[]): Place | undefined {
  const at = new Date(Number(ms));
  return id === undefined || Number.isNaN(at.getTime()) ? undefined : { at, id };
}
