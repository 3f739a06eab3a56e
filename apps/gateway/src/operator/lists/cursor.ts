/** Behind which document a list goes on. */
export interface Place {
  readonly at: Date;
  readonly id: string;
}

/** Opaque to callers. It holds an id and a date, and gives no access by itself. `order` names the list and its order. */
export const cursorOf = (order: string, { at, id }: Place): string =>
  Buffer.from(JSON.stringify([order, at.getTime(), id])).toString('base64url');

/** Undefined: it is none, or one of another order. */
export function parseCursor(text: string, order: string): Place | undefined {
  try {
    const [of, ms, id] = JSON.parse(Buffer.from(text, 'base64url').toString()) as [unknown, unknown, unknown];
    if (of !== order || !Number.isSafeInteger(ms) || typeof id !== 'string') return undefined;
    const at = new Date(ms as number);
    return Number.isNaN(at.getTime()) ? undefined : { at, id };
  } catch {
    return undefined;
  }
}
