/** What a log may say of an error. */
export interface ErrorFacts {
  name: string;
  code?: string;
  syscall?: string;
  message?: string;
  stack?: string;
  cause?: ErrorFacts;
}

const word = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value.slice(0, 100) : undefined);

/** The places of a stack, without the lines of the message in front of them. */
function framesOf(error: Error): string | undefined {
  const stack = (error.stack ?? '').replace(error.message, '');
  const frames = stack.split('\n').filter((line) => /^ {4}at \S.*$/.test(line));
  return frames.length > 0 ? frames.slice(0, 20).join('\n') : undefined;
}

/**
 * Reduces an error to its name, codes, stack and causes. Messages are left out, for drivers and parsers write values into theirs;
 * only an error that says of itself `holdsNoValues: true` keeps its message.
 */
export function errorFacts(error: unknown, depth = 3): ErrorFacts {
  if (!(error instanceof Error)) return { name: typeof error };
  const { code, syscall, holdsNoValues, cause } = error as Error & Record<'code' | 'syscall' | 'holdsNoValues', unknown>;
  return {
    name: word(error.name) ?? 'Error',
    code: typeof code === 'number' ? String(code) : word(code),
    syscall: word(syscall),
    message: holdsNoValues === true ? error.message : undefined,
    stack: framesOf(error),
    cause: cause === undefined || depth <= 1 ? undefined : errorFacts(cause, depth - 1),
  };
}
