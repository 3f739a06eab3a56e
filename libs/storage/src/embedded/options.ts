import { EmbeddedUnsupported } from './errors';

/** Refuses every option except those that the operation knows. */
export function checkOptions(options: object | undefined, operation: string, known: readonly string[] = []): void {
  for (const [name, value] of Object.entries(options ?? {})) {
    if (value !== undefined && !known.includes(name))
      throw new EmbeddedUnsupported(`the option ${name} of ${operation}`);
  }
}
