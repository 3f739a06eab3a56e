import type { QueryClient } from '@tanstack/react-query';
import { asProblem } from './problem';

/** What says nothing about requests, and is the same for everybody. */
const KEPT: readonly unknown[] = ['session', 'settings'];

interface Person {
  readonly subject: string;
}

/** A session that is read. Where it has ended, or is another person's, nothing that was read before stays in the page. */
export async function ofOnePerson<S extends Person>(
  client: QueryClient,
  before: Person | undefined,
  reading: Promise<S>,
): Promise<S> {
  const forget = (): void => client.removeQueries({ predicate: ({ queryKey: [name] }) => !KEPT.includes(name) });
  try {
    const session = await reading;
    if (before && before.subject !== session.subject) forget();
    return session;
  } catch (error) {
    if (asProblem(error).status === 401) forget();
    throw error;
  }
}
