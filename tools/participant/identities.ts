import { setTimeout as sleep } from 'node:timers/promises';

/** Who we are: a name in a workspace, and the secret that `dsr participants add` showed. */
export interface Me {
  readonly ws: string;
  readonly name: string;
  readonly secret: string;
  /** The gateway's admin address. */
  readonly gateway: string;
  /** How long to wait, each time, for a gateway that is behind us or away. */
  readonly earlyWaitsMs: readonly number[];
}

export interface Identity {
  readonly identity_type: string;
  readonly identity_value: string;
}

/** The gateway cannot say yet: it reads the same topic, and may be behind. */
export class NotYet extends Error {}

/** Nothing waits for us: the request is unknown or has ended, or our share was skipped. */
export class Forgotten extends Error {}

/** Asks whom a request is about. The answer holds only the types of identities that we were registered for. */
export async function askIdentities(me: Me, ws: string, srid: string): Promise<readonly Identity[]> {
  for (const waitMs of me.earlyWaitsMs) {
    const answer = await ask(me, ws, srid);
    if (answer.status !== 503) return identitiesIn(answer);
    await sleep(waitMs);
  }
  return identitiesIn(await ask(me, ws, srid));
}

const ask = ({ gateway, name, secret }: Me, ws: string, srid: string): Promise<Response> =>
  fetch(`${gateway}/internal/requests/${encodeURIComponent(ws)}/${srid}/identities`, {
    headers: { authorization: `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}` },
    signal: AbortSignal.timeout(10_000),
  });

async function identitiesIn(answer: Response): Promise<readonly Identity[]> {
  if (answer.status === 503) throw new NotYet('the gateway cannot answer yet');
  if (answer.status === 404 || answer.status === 410) throw new Forgotten('there is nothing to ask about this request');
  // 401: our secret is wrong or we were removed. Another 5xx: the gateway is in trouble. Neither goes away by skipping the request.
  if (!answer.ok) throw new Error(`the gateway answered ${String(answer.status)}`);
  return ((await answer.json()) as { identities: Identity[] }).identities;
}
