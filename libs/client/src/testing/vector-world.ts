import { V2, type ProtocolVersion } from '@opendsr-service/contracts';
import { makeParty, rsaKeys, signatureOf, TODAY, type Party, type PartyWish } from './authorities';
import type { Vector } from './vector';

export const DOMAIN = 'opendsr.processor.example';
export const MINE = 'https://controller.example/dsr/callbacks';
export const LISTS = {
  leaf: 'http://lists.authority.example/leaves-7.crl',
  between: 'http://lists.authority.example/authorities.crl',
};

const BODY = {
  controller_id: '1402',
  expected_completion_time: '2026-01-03T00:00:00Z',
  status_callback_url: MINE,
  subject_request_id: '475974fa-6b42-4370-bb56-b5d845686bb5',
  request_status: 'completed',
  api_version: '2.0',
  results_url: null,
  extensions: null,
};

export const bodyWith = (change: object = {}): Buffer => Buffer.from(JSON.stringify({ ...BODY, ...change }));

/** A trusted authority, an intermediate, a processor and spare keys. */
export interface World {
  readonly root: Party;
  readonly between: Party;
  readonly leaf: Party;
  readonly spareKeys: Party['keys'];
  /** Issues a certificate of the intermediate, by default a valid one of the processor. */
  readonly issue: (wish?: Partial<PartyWish>) => Promise<Party>;
}

export async function makeWorld(): Promise<World> {
  const [rootKeys, betweenKeys, leafKeys, spareKeys] = await Promise.all([rsaKeys(), rsaKeys(), rsaKeys(), rsaKeys()]);
  const root = await makeParty({ name: 'Example Root', keys: rootKeys, isAuthority: true });
  const between = await makeParty({
    name: 'Example Issuing Authority',
    keys: betweenKeys,
    issuer: root,
    isAuthority: true,
    pathLength: 0,
  });
  const issue = (wish: Partial<PartyWish> = {}) =>
    makeParty({ name: DOMAIN, keys: leafKeys, issuer: between, ...wish });
  return { root, between, leaf: await issue(), spareKeys, issue };
}

export interface Case {
  readonly description: string;
  readonly failed?: Vector['expected']['failed'];
  readonly body?: Buffer;
  /** Default: the body. */
  readonly signedBody?: Buffer;
  readonly signature?: string;
  readonly domain?: string;
  readonly version?: ProtocolVersion;
  readonly headers?: Vector['headers'];
  readonly leaf?: Party;
  readonly chain?: readonly Party[];
  readonly trust?: readonly Party[];
  readonly lists?: Readonly<Record<string, Buffer>>;
  readonly revocation?: Vector['revocation'];
}

/** The vector of a valid callback with the changes of the case. */
export async function vectorOf(name: string, world: World, wish: Case): Promise<Vector> {
  const {
    body = bodyWith(),
    leaf = world.leaf,
    failed,
    lists,
    chain = [leaf, world.between],
    trust = [world.root],
  } = wish;
  return {
    name,
    description: wish.description,
    body_base64: body.toString('base64'),
    headers: wish.headers ?? (await signedHeaders(wish, body, leaf)),
    certificate_pem: pemsOf(chain),
    trust_pem: pemsOf(trust),
    ...(lists && {
      crls: Object.fromEntries(Object.entries(lists).map(([url, list]) => [url, list.toString('base64')])),
    }),
    ...(wish.revocation && { revocation: wish.revocation }),
    now: TODAY.toISOString(),
    allowed_domains: [DOMAIN],
    callback_urls: [MINE],
    expected: { valid: failed === undefined, ...(failed && { failed }) },
  };
}

async function signedHeaders(
  { version = V2, domain = DOMAIN, signature, signedBody }: Case,
  body: Buffer,
  leaf: Party,
): Promise<Vector['headers']> {
  return {
    'Content-Type': 'application/json',
    [version.domainHeader]: domain,
    [version.signatureHeader]: signature ?? (await signatureOf(signedBody ?? body, leaf)),
  };
}

export const vectorsOf = (world: World, cases: Readonly<Record<string, Case>>): Promise<Vector[]> =>
  Promise.all(Object.entries(cases).map(([name, wish]) => vectorOf(name, world, wish)));

const pemsOf = (parties: readonly Party[]): string => parties.map(({ pem }) => pem).join('');
