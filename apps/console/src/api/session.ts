import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf, keepCsrfToken } from './client';
import { ofOnePerson } from './one-person';
import type { components } from './operator';

export type Session = components['schemas']['OperatorSession'];

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ client, queryKey }): Promise<Session> => {
    const before = client.getQueryData<Session>(queryKey);
    const session = await ofOnePerson(client, before, bodyOf(api.GET('/operator/v1/session')));
    keepCsrfToken(session.csrf_token);
    return session;
  },
  staleTime: Infinity,
});

/** Begins a session by the token of the link that a sandbox prints. It can be used once. */
export const signInByLink = (token: string) => bodyOf(api.POST('/operator/v1/sign-in/link', { body: { token } }));
