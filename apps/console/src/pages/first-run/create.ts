import { problemOf } from '../../api/problem';
import { rightNow } from '../../parts/clock';
import type { Person } from './people';
import { authorizationOf, type Sandbox } from './sandbox';

/** What was sent, and what came back. */
export interface CreatedRequest {
  readonly id: string;
  readonly sent: object;
  readonly status: number;
  readonly answer: object;
}

export type RequestType = 'access' | 'portability' | 'erasure';

/** As a controller: some data of the person first, then the request about it. */
export async function createRequest(sandbox: Sandbox, person: Person, type: RequestType): Promise<CreatedRequest> {
  const post = async (path: string, body: object): Promise<Response> => {
    const answer = await fetch(path, {
      method: 'POST',
      headers: { authorization: authorizationOf(sandbox), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw await problemOf(answer);
    return answer;
  };
  const identities = { customer_id: person.customerId, email: person.email };
  await post('/v1/identify', {
    ...{ user_identities: identities, user_attributes: { colour: person.colour }, environment: 'production' },
  });
  await post('/v2/events', {
    user_identities: { customer_id: person.customerId },
    events: [{ event_type: 'screen_view', data: { screen_name: 'home' } }],
  });
  const id = crypto.randomUUID();
  const sent = {
    regulation: 'gdpr',
    subject_request_id: id,
    subject_request_type: type,
    submitted_time: rightNow().toISOString(),
    subject_identities: [{ identity_type: 'email', identity_value: person.email, identity_format: 'raw' }],
    status_callback_urls: [sandbox.callback_url],
  };
  const answer = await post('/v2/requests', sent);
  return { id, sent, status: answer.status, answer: (await answer.json()) as object };
}
