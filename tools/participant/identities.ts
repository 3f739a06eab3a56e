/** Who we are: a name in a workspace, and the secret that `dsr participants add` showed. */
export interface Me {
  readonly ws: string;
  readonly name: string;
  readonly secret: string;
  /** The gateway's admin address. */
  readonly gateway: string;
}

export interface Identity {
  readonly identity_type: string;
  readonly identity_value: string;
}

/** The gateway does not know yet that the request names us: it reads the same topic, and may be behind. */
export class NotYet extends Error {}

/** The request is over and its identities are destroyed: nobody waits for us any more. */
export class Forgotten extends Error {}

/** Asks whom a request is about. The answer holds only the types of identities that we were registered for. */
export async function askIdentities({ gateway, name, secret }: Me, ws: string, srid: string): Promise<readonly Identity[]> {
  const answer = await fetch(`${gateway}/internal/requests/${encodeURIComponent(ws)}/${srid}/identities`, {
    headers: { authorization: `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}` },
    signal: AbortSignal.timeout(10_000),
  });
  if (answer.status === 404) throw new NotYet('the gateway has not heard of this request');
  if (answer.status === 410) throw new Forgotten('the identities of this request are destroyed');
  // 401: our secret is wrong or we were removed. 5xx: the gateway is away. Neither goes away by skipping the request.
  if (!answer.ok) throw new Error(`the gateway answered ${String(answer.status)}`);
  return ((await answer.json()) as { identities: Identity[] }).identities;
}
