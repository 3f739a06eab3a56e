import { queryOptions } from '@tanstack/react-query';
import { problemOf } from './problem';

/** What the service says of itself before anyone is signed in. */
export interface ConsoleSettings {
  /** `provider`: OpenID Connect; `link`: the link that a sandbox prints. */
  readonly sign_in: 'provider' | 'link';
  readonly sandbox: boolean;
  /** Domains of the processor. */
  readonly domains: readonly string[];
  /** PEM of the authority that a sandbox made for itself; empty elsewhere. */
  readonly authorities: string;
  /** The verifier key of the transparency log. */
  readonly log_key: string;
}

export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: async ({ signal }): Promise<ConsoleSettings> => {
    const answer = await fetch('/console/settings.json', { signal });
    if (!answer.ok) throw await problemOf(answer);
    return (await answer.json()) as ConsoleSettings;
  },
  staleTime: Infinity,
});
