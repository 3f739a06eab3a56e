import { randomUUID } from 'node:crypto';
import { V1, V2, type ProtocolVersion } from '@opendsr-service/contracts';
import { accepted } from '../../receiver/receiver';
import { until } from '../../receiver/until';
import type { Environment } from '../child-service';
import { entries, replay, type Entry } from '../callback-ledger';
import { Controller, requestBody } from '../controller';
import { awaitResult, awaitStatus } from '../follow';
import { register, type Registered } from '../operator';
import { report } from '../reports';
import { identitiesOf, somebody, ingestPerson, type Person, type World } from '../world';

/**
 * Callbacks that fail before the copies are given up soon, but only after the stop of all processes that saw the last
 * failure. Keys of ended requests are due at once, but are not destroyed yet.
 */
export const BEFORE: Environment = {
  CALLBACK_RETRY_GAPS_MS: '200ms',
  CALLBACK_GIVE_UP_MS: '15s',
  REQUEST_KEY_KEEP_MS: '100ms',
  SWEEP_POLL_MS: '1h',
  RELAY_POLL_MS: '100ms',
};
/** What fails after that goes on failing; keys that are due are destroyed, and what ends keeps its own. */
export const AFTER: Environment = {
  CALLBACK_RETRY_GAPS_MS: '1h',
  CALLBACK_GIVE_UP_MS: '1d',
  REQUEST_KEY_KEEP_MS: '1h',
  SWEEP_POLL_MS: '100ms',
  RELAY_POLL_MS: '100ms',
};

/** A request of the history, by whom it is asked for. */
interface KnownRequest {
  readonly srid: string;
  readonly version: ProtocolVersion;
  /** Where its callbacks arrive. */
  readonly path: string;
}

/** Requests of all kinds, some of which go on after the copies were taken. */
export class History {
  readonly requests = new Map<string, KnownRequest>();
  readonly group = `group-${randomUUID()}`;
  readonly people: { readonly known: Person; readonly erasedEarly: Person; readonly erasedLate: Person };
  private participant: Registered | undefined;
  private isHealed = false;

  constructor(readonly world: World) {
    const [known, erasedEarly, erasedLate] = [somebody(world), somebody(world), somebody(world)];
    this.people = { known, erasedEarly, erasedLate };
  }

  /** Until the copies are taken. */
  async begin(): Promise<void> {
    const { known, erasedEarly, erasedLate } = this.people;
    await Promise.all(Object.values(this.people).map((person) => ingestPerson(this.world, person)));
    this.participant = await register(this.world.service, { name: 'shop', types: 'erasure' });
    await Promise.all([
      this.request('done', { person: known }).then(() => this.ended('done')),
      this.request('done in version 1', { version: V1 }).then(() => this.ended('done in version 1')),
      this.request('archive of somebody erased later', { person: erasedLate }).then(() =>
        this.ended('archive of somebody erased later'),
      ),
      this.request('erased', { person: erasedEarly, type: 'erasure' }).then(() => this.reported('erased')),
      this.request('cancelled', { type: 'portability', group: true }).then(() => this.cancel('cancelled')),
      this.request('waiting', { type: 'portability', group: true }),
      this.request('waiting in version 1', { type: 'portability', version: V1, group: true }),
      this.request('cancelled later', { type: 'portability', group: true }),
      this.request('given up', { type: 'portability', answers: () => 500 }),
    ]);
    await Promise.all([
      this.ledger('given up', ({ state }) => state === 'given_up'),
      this.delivered('cancelled later'),
      this.delivered('waiting'),
      this.delivered('cancelled', 2),
    ]);
    await this.request('erased later', { person: erasedLate, type: 'erasure' });
    await awaitStatus(this.world.controller, this.srid('erased later'), 'in_progress');
    // Both go on in a moment, so they come last.
    await this.request('starting', { person: known });
    await this.request('failing at the copy', { type: 'portability', answers: () => (this.isHealed ? 202 : 500) });
    await this.ledger('failing at the copy', ({ attempt_count }) => attempt_count > 0);
  }

  /** The receiver that was away is back. */
  heal(): void {
    this.isHealed = true;
  }

  /** Until the databases are lost. */
  async continueAfterBackup(): Promise<void> {
    await ingestPerson(this.world, { ...this.people.known, colour: `${this.world.planted.text}-new` });
    await Promise.all([
      // Only then another request about the same person is taken.
      this.ended('starting')
        .then(() => this.request('new', { person: this.people.known }))
        .then(() => this.ended('new'))
        .then(() => this.replay('new')),
      this.reported('erased later'),
      this.cancel('cancelled later').then(() => this.delivered('cancelled later', 2)),
      this.ledger('failing at the copy', ({ state }) => state === 'delivered'),
      this.request('new in version 1', { version: V1, group: true, type: 'portability' }).then(() =>
        this.delivered('new in version 1'),
      ),
      this.request('half done', { type: 'erasure' }).then(() => this.delivered('half done', 2)),
      this.request('failing', { type: 'portability', answers: () => 500 }).then(() =>
        this.ledger('failing', ({ attempt_count }) => attempt_count > 0),
      ),
      this.request('gone', { type: 'portability', answers: () => 410 }).then(() =>
        this.ledger('gone', ({ state }) => state === 'given_up'),
      ),
    ]);
  }

  knownRequest(name: string): KnownRequest {
    const known = this.requests.get(name);
    if (!known) throw new Error(`there is no request '${name}'`);
    return known;
  }

  srid(name: string): string {
    return this.knownRequest(name).srid;
  }

  controller({ version }: Pick<KnownRequest, 'version'>): Controller {
    return new Controller(this.world.service, version);
  }

  /** How many callbacks came to the address of a request. */
  heard(name: string): number {
    return this.world.receiver.received(this.knownRequest(name).path).length;
  }

  private async request(
    name: string,
    of: { person?: Person; type?: string; version?: ProtocolVersion; group?: true; answers?: () => number },
  ): Promise<void> {
    const { receiver, planted } = this.world;
    const { person = somebody(this.world), type = 'access', version = V2, group, answers } = of;
    const path = `/${planted.text}/${randomUUID()}`;
    receiver.answer(path, () => (answers ? { status: answers() } : accepted));
    const body = requestBody(
      {
        subject_request_type: type,
        subject_identities: identitiesOf(person),
        status_callback_urls: [receiver.url(path)],
        ...(group && { group_id: this.group }),
      },
      version,
    );
    const known = { srid: body.subject_request_id, version, path };
    this.requests.set(name, known);
    const { status } = await this.controller(known).create(body);
    if (status !== 201) throw new Error(`'${name}' was answered with ${String(status)}`);
  }

  private async ended(name: string): Promise<void> {
    await awaitResult(this.controller(this.knownRequest(name)), this.srid(name));
    await this.delivered(name, 3);
  }

  /** The outside participant does its share. */
  private async reported(name: string): Promise<void> {
    if (!this.participant) throw new Error('the participant is not registered');
    await report(this.world.service, this.srid(name), this.participant, { status: 'completed' });
    await this.ended(name);
  }

  private async cancel(name: string): Promise<void> {
    expect((await this.controller(this.knownRequest(name)).cancel(this.srid(name))).status).toBe(202);
  }

  private entries(name: string): Promise<readonly Entry[]> {
    return entries(this.controller(this.knownRequest(name)), this.srid(name));
  }

  private ledger(name: string, stands: (entry: Entry) => boolean): Promise<Entry> {
    return until(`the callback of '${name}'`, async () => (await this.entries(name)).find(stands));
  }

  private delivered(name: string, count = 1): Promise<unknown> {
    return until(
      `callbacks of '${name}'`,
      async () => (await this.entries(name)).filter(({ state }) => state === 'delivered').length === count,
    );
  }

  private async replay(name: string): Promise<void> {
    const [first] = await this.entries(name);
    const { status } = await replay(
      this.controller(this.knownRequest(name)),
      this.srid(name),
      first?.delivery_id ?? '',
    );
    expect(status).toBe(202);
    await this.ledger(name, ({ attempt_count }) => attempt_count === 2);
  }
}
