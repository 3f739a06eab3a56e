import type { HttpCall } from '../services/incarnation';
import { personNamed, PERSONS, TENANTS } from './plan';

/** The calls by which controllers bring in data of all persons that requests are about. */
export const profileCalls = (now: Date): HttpCall[] =>
  TENANTS.flatMap(({ key, secret }) =>
    Array.from({ length: PERSONS }, (_, n) => ({
      method: 'POST' as const,
      url: '/v1/identify',
      headers: {
        authorization: `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`,
        'content-type': 'application/json',
      },
      payload: JSON.stringify({
        user_identities: { email: personNamed(n) },
        ip: '192.0.2.7',
        timestamp_unixtime_ms: now.getTime(),
        environment: 'production',
        user_attributes: { colour: 'blue' },
      }),
    })),
  );
