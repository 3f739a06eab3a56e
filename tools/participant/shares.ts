import { Refused, type Customers } from './customers';
import { askIdentities, Forgotten, NotYet, type Identity, type Me } from './identities';
import { reportRecord, type Report } from './report';

/** A record of `dsr.request-events.v1`, as far as it matters here: two of its headers, and its value. */
interface EventRecord {
  readonly type: string;
  readonly ws: string;
  readonly value: string;
}

interface Started {
  readonly ws: string;
  readonly srid: string;
  readonly participants: readonly string[];
  readonly work: { readonly type: 'access' | 'portability' | 'erasure' };
}

type Outcome = Pick<Report, 'status' | 'statusMessage'>;

/** Our share of requests: identities, work and reports. */
export class Shares {
  constructor(
    private readonly me: Me,
    private readonly customers: Customers,
    private readonly publish: (record: ReturnType<typeof reportRecord>) => Promise<void>,
    private readonly say: (line: string) => void,
  ) {}

  /** Does our share if this record starts a request that names us. Ignores repeats of settled ones. */
  async handle({ type, ws, value }: EventRecord): Promise<void> {
    if (type !== 'org.opendsr-service.RequestStarted.v1' || ws !== this.me.ws) return;
    const started = JSON.parse(value) as Started;
    if (!started.participants.includes(this.me.name) || this.customers.isSettled(started.srid)) return;
    this.customers.begin(started.srid, started);
    await this.share(started);
  }

  /** Retries open shares: a failure may be reported again, and the request waits. */
  async retryOpen(): Promise<void> {
    for (const started of this.customers.open<Started>()) {
      await this.share(started).catch((error: unknown) => {
        this.say(`${started.srid}: ${error instanceof Error ? error.message : 'failed'}, trying again later`);
      });
    }
  }

  private async share({ ws, srid, work }: Started): Promise<void> {
    try {
      const outcome = this.work(srid, work.type, await askIdentities(this.me, ws, srid));
      // Written to the topic first and at home second, so that no report is lost.
      await this.publish(reportRecord({ ws, srid, participant: this.me.name, ...outcome }, this.me.secret, new Date()));
      if (outcome.status !== 'failed') this.customers.settle(srid);
      this.say(`${srid}: ${outcome.status}`);
    } catch (error) {
      if (error instanceof Forgotten) this.customers.settle(srid);
      // It stays open and blocks no other request.
      else if (!(error instanceof NotYet)) throw error;
      this.say(`${srid}: ${error.message}`);
    }
  }

  private work(srid: string, type: Started['work']['type'], identities: readonly Identity[]): Outcome {
    if (type !== 'erasure') return { status: this.customers.export(srid, identities) > 0 ? 'sent' : 'skipped' };
    try {
      this.customers.erase(identities);
      // Either this call or a crashed one before it erased them: none of them remains.
      return { status: 'completed' };
    } catch (error) {
      // Controllers read this line: it must not name the person.
      if (error instanceof Refused) return { status: 'failed', statusMessage: error.message };
      throw error;
    }
  }
}
