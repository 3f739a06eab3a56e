import { V2, type ProtocolVersion } from '@opendsr-service/contracts';
import type { HeaderSource } from '../verify/types';
import { makeParty, rsaKeys, signatureOf, TODAY, type Party, type PartyWish } from './authorities';
import { urlOf } from './vector';
import { bodyWith, DOMAIN } from './vector-world';

const MINUTE_MS = 60_000;

export type Page = () => Response | Promise<Response>;

/** A processor on its own network, with a manual clock. */
export class Processor {
  readonly pages = new Map<string, Page>();
  readonly asked: string[] = [];
  now = TODAY;

  constructor(
    readonly root: Party,
    readonly leaf: Party,
  ) {}

  static async open(): Promise<Processor> {
    const [rootKeys, leafKeys] = await Promise.all([rsaKeys(), rsaKeys()]);
    const root = await makeParty({ name: 'Example Root', keys: rootKeys, isAuthority: true });
    const processor = new Processor(root, await makeParty({ name: DOMAIN, keys: leafKeys, issuer: root }));
    processor.publishes(processor.leaf);
    return processor;
  }

  readonly fetch: typeof fetch = async (input) => {
    this.asked.push(urlOf(input));
    const page = this.pages.get(urlOf(input));
    if (!page) throw new TypeError('fetch failed', { cause: { code: 'ENOTFOUND' } });
    return page();
  };

  /** The number of requests since the last call. */
  takeAsked(): string[] {
    return this.asked.splice(0).map((url) => url.replace(`https://${DOMAIN}`, ''));
  }

  publishes(party: Party, path = '/first.pem', { root }: ProtocolVersion = V2): void {
    this.pages.set(`https://${DOMAIN}/${root}/discovery`, () =>
      Response.json({ processor_certificate: `https://${DOMAIN}${path}` }),
    );
    this.pages.set(`https://${DOMAIN}${path}`, () => new Response(party.pem));
  }

  async renewed(wish: Partial<PartyWish> = {}): Promise<Party> {
    return makeParty({ name: DOMAIN, keys: await rsaKeys(), issuer: this.root, ...wish });
  }

  passes(minutes: number): void {
    this.now = new Date(this.now.getTime() + minutes * MINUTE_MS);
  }
}

export interface SignedMessage {
  readonly body: Buffer;
  readonly headers: HeaderSource;
}

export async function callbackOf(party: Pick<Party, 'keys'>, body = bodyWith()): Promise<SignedMessage> {
  return {
    body,
    headers: {
      [V2.domainHeader]: DOMAIN,
      [V2.signatureHeader]: await signatureOf(body, party),
      'X-Delivery-Id': 'd-1',
    },
  };
}
