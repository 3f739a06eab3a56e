import type { Chance } from '../engine/chance';
import type { Call, History, Shown } from '../history';
import type { HttpAnswer, HttpCall } from '../services/incarnation';
import { LONGEST_WAIT_MS, WAITS_MS } from '../services/waits';
import type { LifePlan } from './plan';

/** What controllers need of their world. */
interface Outside {
  readonly history: History;
  readonly chance: Chance;
  readonly wait: (ms: number) => Promise<void>;
  /** Calls one of the gateways. Undefined: no answer. */
  readonly call: (call: HttpCall) => Promise<HttpAnswer | undefined>;
  readonly diary: (line: string) => void;
  /** Whether answers may get lost on their way. */
  readonly isRough: () => boolean;
}

const LOST_ANSWERS = 0.04;
const LAST_MOMENT = 0.3;
const MOMENT_MS = 4_000;
const MOST_TRIES = 5;
const MOST_ACTIONS = 5;

/** The controller of one request: creates it, asks about it, perhaps cancels it, and does some of that twice. */
export class Controller {
  constructor(
    readonly plan: LifePlan,
    private readonly outside: Outside,
  ) {}

  async live(): Promise<void> {
    const { chance, wait } = this.outside;
    await wait(this.plan.beginsAfterMs);
    if (chance.happens(0.15)) void this.create();
    if (!(await this.admit())) return;
    if (chance.happens(LAST_MOMENT)) void this.cancelAtTheLastMoment();
    const actions = this.plan.isCrowd ? chance.below(2) : chance.between(1, MOST_ACTIONS);
    for (let n = 0; n < actions; n += 1) {
      await wait(chance.below(LONGEST_WAIT_MS / 2));
      await this.act();
    }
  }

  /** Reads the status, for the last word of a world. */
  read(): Promise<Call> {
    return this.send('read', { method: 'GET', url: this.path() }, (body) => [shownOf(body as StatusRecord)]);
  }

  /** Retries until the result is known. A request that was refused for a twin or a full group may come again later. */
  private async admit(): Promise<boolean> {
    const { chance, wait } = this.outside;
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const { status = 0, message = '' } = await this.create();
      if (status === 201 || message.includes('already exists')) return true;
      if (status === 400 || (status === 409 && chance.happens(0.5))) return false;
      await wait(chance.below(LONGEST_WAIT_MS));
    }
    return false;
  }

  private async act(): Promise<void> {
    const { chance } = this.outside;
    const dice = chance.fraction();
    if (dice < 0.35) await this.read();
    else if (dice < 0.5 && this.plan.groupId !== undefined && !this.plan.isCrowd) await this.list();
    else if (dice < 0.6) await this.create();
    else await this.cancel();
  }

  /** When the start is due, or a little later. */
  private async cancelAtTheLastMoment(): Promise<void> {
    await this.outside.wait(WAITS_MS[this.plan.type] + this.outside.chance.below(MOMENT_MS));
    await this.cancel();
  }

  private async cancel(): Promise<void> {
    if (this.outside.chance.happens(0.2)) void this.send('cancel', { method: 'DELETE', url: this.path() });
    await this.send('cancel', { method: 'DELETE', url: this.path() });
  }

  private list(): Promise<Call> {
    const url = `${this.path('')}?group_id=${this.plan.groupId ?? ''}`;
    return this.send('list', { method: 'GET', url }, (body) => (body as StatusRecord[]).map(shownOf));
  }

  private create(): Promise<Call> {
    const { srid, type, person, groupId, callbackUrls, version } = this.plan;
    const payload = {
      ...(version.hasRegulation && { regulation: 'gdpr' }),
      subject_request_id: srid,
      subject_request_type: type,
      submitted_time: '2026-11-21T12:00:00Z',
      subject_identities: [{ identity_type: 'email', identity_value: person, identity_format: 'raw' }],
      api_version: version.apiVersion,
      status_callback_urls: callbackUrls,
      ...(groupId !== undefined && { group_id: groupId }),
    };
    return this.send('create', { method: 'POST', url: this.path(''), payload: JSON.stringify(payload) });
  }

  private path(srid = this.plan.srid): string {
    const { root, requestsRoute } = this.plan.version;
    return `/${root}/${requestsRoute}${srid === '' ? '' : `/${srid}`}`;
  }

  private async send(
    kind: Call['kind'],
    call: Omit<HttpCall, 'headers'>,
    shown: (body: unknown) => Shown[] = () => [],
  ): Promise<Call> {
    const { history, chance, diary, isRough } = this.outside;
    const { tenant } = this.plan;
    const noted = history.begin(kind, this.plan);
    const authorization = `Basic ${Buffer.from(`${tenant.key}:${tenant.secret}`).toString('base64')}`;
    diary(`controller: ${kind} ${this.plan.srid}`);
    const answer = await this.outside.call({
      ...call,
      headers: {
        authorization,
        host: 'dsr.example.com',
        ...(call.payload !== undefined && { 'content-type': 'application/json' }),
      },
    });
    if (!answer || (isRough() && chance.happens(LOST_ANSWERS))) {
      diary(`controller: ${kind} ${this.plan.srid}: no answer`);
      return noted;
    }
    const body = JSON.parse(answer.body) as { readonly message?: string };
    noted.endedAt = history.next();
    noted.status = answer.status;
    if (answer.status === 200) noted.shown = shown(body);
    else if (answer.status >= 400) noted.message = body.message ?? '';
    diary(
      `controller: ${kind} ${this.plan.srid}: ${answer.status} ${noted.message ?? noted.shown.map(({ status }) => status).join(', ')}`,
    );
    return noted;
  }
}

interface StatusRecord {
  readonly subject_request_id: string;
  readonly request_status: Shown['status'];
}

const shownOf = (record: StatusRecord): Shown => ({ srid: record.subject_request_id, status: record.request_status });
