import { createHash } from 'node:crypto';
import {
  attestationPayload,
  type Attestation,
  requestEvents,
  requestKey,
  V2,
  type RequestEvent,
  type RequestStatus,
} from '@opendsr-service/contracts';
import { leafHash, RunningRoot } from '@opendsr-service/transparency';
import { TENANTS, type LifePlan, type Tenant } from '../actors/plan';
import { hasEnded, type Admission, type FinalState } from '../final-state';
import { History, type Call, type Sending } from '../history';
import { violationsOf } from './index';

const tenant = TENANTS[0] as Tenant;
const srid = '475974fa-6b42-4370-bb56-b5d845686bb5';
const twin = '475974fa-6b42-4370-bb56-000000000002';
const url = 'https://controller.example.com/callbacks';

/** An attestation that says who waived which participant. */
const attestationOf = (id: string, waivers: Readonly<Record<string, string>> = {}, more: Partial<Attestation> = {}) => {
  const time = '2026-11-21T12:00:00.000Z';
  const share = ([name, waivedBy]: [string, string]) =>
    ({ name, status: 'skipped', reportedAt: time, waivedBy }) as const;
  const { ws: workspace } = tenant;
  const payload = attestationPayload(
    {
      ...{ statement: 1, workspace, controllerId: workspace, requestId: id, requestType: 'access' },
      ...{ interfaceVersion: V2.apiVersion, receivedAt: time, endedAt: time, outcome: 'cancelled' },
      participants: Object.entries(waivers).map(share),
      ...more,
    },
    { events: '47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU' },
  );
  const envelope = JSON.stringify({ payloadType: 'a', payload: payload.toString('base64'), signatures: [] });
  const { statement = 1 } = more;
  return { srid: id, digest: `attestation ${statement} of ${id}`, envelope, statement };
};

const leafAt = (index: number, kind: string, digest: string) => ({ index, entry: JSON.stringify({ kind, digest }) });

/** A made-up world of two requests for the same person, script call by call. */
class Script {
  readonly history = new History();
  unreadableKeys: readonly string[] = [];
  final: FinalState = { admissions: [], aggregates: [], destinations: [], parked: [], leaves: [], attestations: [] };
  readonly plans = [srid, twin].map((id): LifePlan => ({
    srid: id,
    tenant,
    version: V2,
    type: 'access',
    person: 'p',
    groupId: undefined,
    callbackUrls: id === srid ? [url] : [],
    beginsAfterMs: 0,
    isCrowd: false,
  }));

  call(kind: Call['kind'], status: number, more: { id?: string; shown?: RequestStatus; message?: string } = {}): this {
    const id = more.id ?? srid;
    const call = this.history.begin(kind, this.plans.find((plan) => plan.srid === id) as LifePlan);
    Object.assign(call, {
      endedAt: this.history.next(),
      status,
      message: more.message,
      shown: more.shown ? [{ srid: id, status: more.shown }] : [],
    });
    return this;
  }

  callback(status: RequestStatus): this {
    this.history.taken.push({ srid, url, status, at: this.history.next() });
    return this;
  }

  sending(times: Pick<Sending, 'beganMs' | 'takenMs' | 'leaseUntilMs'>): this {
    this.history.sendings.push({ srid, url, status: 'pending', ...times });
    return this;
  }

  report(participant: string, status = 'completed'): this {
    this.history.reports.push({ srid, participant, status, at: this.history.next() });
    return this;
  }

  event(fact: object & { type: RequestEvent['type'] }, version: number, id = srid): this {
    const at = '2026-11-21T12:00:00.000Z';
    const { value, headers, key } = requestEvents.encode({
      id: '475974fa-6b42-4370-bb56-00000000000a',
      ws: tenant.ws,
      srid: id,
      version,
      commandSeq: 1,
      at,
      ...fact,
    } as RequestEvent);
    this.history.events.push({
      record: { topic: '', partition: 0, offset: '0', timestampMs: 0, value, headers, key },
      at: this.history.next(),
    });
    return this;
  }

  ends(status: RequestStatus, more: Partial<Admission> & { state?: string; id?: string } = {}): this {
    const { state = status, id = srid, ...rest } = more;
    const _id = requestKey(tenant.ws, id);
    const admission = { _id, srid: id, ws: tenant.ws, status, v: 5, groupId: null, outbox: [], ...rest };
    const { admissions, aggregates, leaves, attestations } = this.final;
    const attestation = attestationOf(id);
    const isAttested = hasEnded(admission);
    this.final = {
      ...this.final,
      admissions: [...admissions, admission],
      aggregates: [...aggregates, { _id, status: state, v: 5, outbox: [] }],
      attestations: isAttested ? [...attestations, attestation] : attestations,
      leaves: isAttested ? [...leaves, leafAt(leaves.length, 'attestation', attestation.digest)] : leaves,
    };
    return this;
  }

  broken(): string[] {
    return violationsOf({
      plans: this.plans,
      history: this.history,
      final: this.final,
      diary: [],
      steps: 0,
      torn: 0,
      scattered: new Set(),
      unreadableKeys: this.unreadableKeys,
      generationsDestroyedAt: new Map([[3, new Date('2026-11-21T12:00:00Z')]]),
    }).map(({ invariant }) => invariant);
  }
}

const work = { type: 'access', kid: 'k', identities: 'c2VhbGVkIHRleHQgb2YgdGhlIHZhdWx0LCBub3RoaW5nIGVsc2U=' };
const started = (participants: string[]) => ({ type: 'RequestStarted', participants, work }) as const;
const cancelled = { type: 'RequestCancelled' } as const;
const fulfilled = { type: 'RequestFulfilled' } as const;

it('finds nothing in a life that went well', () => {
  const script = new Script()
    .call('create', 201)
    .sending({ beganMs: 1, takenMs: 5, leaseUntilMs: 5 })
    .callback('pending')
    .call('read', 200, { shown: 'pending' })
    .call('create', 409, { id: twin });
  script
    .callback('pending')
    .callback('in_progress')
    .report('results')
    .event(fulfilled, 1)
    .callback('completed')
    .call('create', 201, { id: twin })
    .call('cancel', 202, { id: twin });
  const withStart = new Script()
    .call('create', 201)
    .callback('pending')
    .callback('in_progress')
    .callback('completed')
    .event(cancelled, 1)
    .event(started(['results']), 2)
    .report('results')
    .event(fulfilled, 3)
    .event(cancelled, 1);
  expect(withStart.ends('completed').broken()).toEqual([]);
  expect(script.ends('completed').ends('cancelled', { id: twin }).broken()).toEqual([
    'completion only after all reports',
  ]);
});

it.each<[string, (script: Script) => Script]>([
  [
    'at most one 201 for an id',
    (script) =>
      script.call('create', 201).call('create', 201).callback('pending').callback('cancelled').ends('cancelled'),
  ],
  ['every 201 ends completed or cancelled', (script) => script.call('create', 201).ends('pending')],
  ['every 201 ends completed or cancelled', (script) => script.call('create', 201)],
  [
    'a 202 to DELETE is never followed by in_progress',
    (script) =>
      script.call('cancel', 202).callback('pending').callback('in_progress').callback('completed').ends('completed'),
  ],
  [
    'no status shown goes back',
    (script) => script.call('read', 200, { shown: 'in_progress' }).call('read', 200, { shown: 'pending' }),
  ],
  [
    'no callback has a status before GET shows it',
    (script) => script.callback('in_progress').call('read', 200, { shown: 'pending' }),
  ],
  [
    'every status change reaches every URL, in order',
    (script) => script.callback('pending').callback('completed').ends('completed'),
  ],
  [
    'every status change reaches every URL, in order',
    (script) =>
      script
        .callback('pending')
        .callback('in_progress')
        .callback('pending')
        .callback('in_progress')
        .callback('completed')
        .ends('completed'),
  ],
  [
    'completion only after all reports',
    (script) =>
      script
        .event(cancelled, 1)
        .event(started(['results', 'crm']), 2)
        .report('results')
        .report('crm', 'failed')
        .event(fulfilled, 3)
        .report('crm'),
  ],
  [
    "the gateway's view equals the request's state in the end",
    (script) => script.callback('pending').callback('cancelled').ends('cancelled', { state: 'pending' }),
  ],
  [
    "the gateway's view equals the request's state in the end",
    (script) =>
      script
        .callback('pending')
        .callback('cancelled')
        .ends('cancelled', { outbox: [{}] }),
  ],
  ['no delivery begins after its lease has ended', (script) => script.sending({ beganMs: 6, leaseUntilMs: 5 })],
  ['no delivery begins after its lease has ended', (script) => script.sending({ beganMs: 1, leaseUntilMs: undefined })],
  [
    'no delivery goes on after its lease has ended',
    (script) => script.sending({ beganMs: 4, takenMs: 6, leaseUntilMs: 5 }),
  ],
  ['no gap in versions', (script) => script.event(cancelled, 1).event(cancelled, 3)],
  ['no gap in versions', (script) => script.event(cancelled, 1).event({ ...cancelled, commandSeq: 2 } as never, 1)],
])('finds a life that breaks: %s', (invariant, scriptOf) => {
  expect(scriptOf(new Script()).broken()).toContain(invariant);
});

const twins = '409 exactly while the twin is pending or in progress';

it('finds a 409 without a twin, and a 201 beside one that certainly holds', () => {
  expect(new Script().call('create', 409).broken()).toContain(twins);
  const beside = new Script()
    .call('create', 201)
    .call('create', 201, { id: twin })
    .ends('completed')
    .ends('completed', { id: twin });
  expect(beside.broken()).toContain(twins);
});

it('finds a 409 after the twin was shown to have ended', () => {
  const script = new Script()
    .call('create', 201)
    .call('cancel', 202)
    .call('create', 409, { id: twin })
    .callback('pending')
    .callback('cancelled')
    .ends('cancelled');
  expect(script.broken()).toEqual([twins]);
});

it('judges no 201 whose twin may have ended by then', () => {
  const script = new Script()
    .call('create', 201)
    .event(fulfilled, 1)
    .call('create', 201, { id: twin })
    .ends('completed')
    .ends('completed', { id: twin });
  expect(script.broken()).not.toContain(twins);
});

it('finds a group that is too large, and a refusal of one that has room', () => {
  const group = Array.from({ length: 151 }, (_, n) => ({
    _id: String(n),
    srid: String(n),
    ws: 'acme',
    status: 'cancelled' as const,
    v: 1,
    groupId: 'g',
    outbox: [],
  }));
  const script = new Script();
  script.final = { ...script.final, admissions: group };
  expect(script.broken()).toContain('at most 150 in a group');
  expect(
    new Script().call('create', 400, { message: 'The group has as many requests as a group may have.' }).broken(),
  ).toContain('at most 150 in a group');
});

it('finds a record of ours that is parked, and none of an outsider', () => {
  const parked = { database: 'request', topic: 't', key: `acme:${srid}`, reason: 'r' };
  const script = new Script();
  script.final = { ...script.final, parked: [{ ...parked, aside: true }] };
  expect(script.broken()).toEqual([]);
  script.final = { ...script.final, parked: [parked] };
  expect(script.broken()).toEqual(['no record of ours is parked']);
});

describe('the public log', () => {
  const heads = (...digests: string[]) => {
    const running = new RunningRoot();
    return digests.map((digest, n) => {
      running.add(leafHash(Buffer.from(leafAt(n, 'receipt', digest).entry)));
      return { size: n + 1, root: running.root() };
    });
  };
  const logged = (...digests: string[]) => {
    const script = new Script().ends('cancelled', { id: twin, receipt: 'a' });
    const receipts = digests.map((digest, index) => leafAt(index, 'receipt', digest));
    script.final = { ...script.final, leaves: [...receipts, ...script.final.leaves] };
    return script;
  };

  it('finds a receipt that is not in it, and one that is in it twice', () => {
    expect(logged('a', 'b').broken()).toEqual([]);
    for (const script of [logged(), logged('b'), logged('a', 'a')])
      expect(script.broken()).toEqual(['every receipt is in the public log once']);
  });

  it('finds an end without an attestation, with two, and an attestation that is not in it or there twice', () => {
    const rule = 'every ended request has exactly one attestation in the log';
    const changed = (change: (final: FinalState) => Partial<FinalState>) => {
      const script = logged('a');
      script.final = { ...script.final, ...change(script.final) };
      return new Set(script.broken());
    };
    expect(changed(() => ({}))).toEqual(new Set());
    for (const change of [
      () => ({ attestations: [] }),
      ({ attestations: [one] }: FinalState) => ({ attestations: one ? [one, { ...one, digest: 'other' }] : [] }),
      ({ leaves }: FinalState) => ({ leaves: leaves.slice(0, 1) }),
      ({ leaves }: FinalState) => ({ leaves: [...leaves, ...leaves.slice(1)] }),
    ])
      expect(changed(change)).toEqual(new Set([rule]));
  });

  it('finds an extension that counts twice or not at all, and one without its leaf', () => {
    const rule = 'an extension counts once, and is in the public log once';
    const until = new Date('2026-03-01T00:00:00Z');
    const { identities: reason } = work;
    const by = (extendedBy: string) =>
      ({ type: 'DeadlineExtended', extendedUntil: until.toISOString(), extendedBy, reason }) as const;
    const extended = (leaves: number, admission: Partial<Admission> = { extendedUntil: until, dueBy: until }) => {
      const script = new Script().event(by('officer'), 1, twin).ends('cancelled', { id: twin, ...admission });
      const [{ record } = { record: { value: '' } }] = script.history.events;
      const digest = createHash('sha256').update(record.value).digest('base64url');
      const more = Array.from({ length: leaves }, (_, n) => leafAt(1 + n, 'extension', digest));
      script.final = { ...script.final, leaves: [...script.final.leaves, ...more] };
      return script;
    };
    expect(extended(1).broken()).toEqual([]);
    const said = new Script().ends('cancelled', { id: twin });
    said.history.asksForExtension(twin).answer = 'done';
    const faults = [extended(0), extended(2), extended(1, {}), extended(1, { extendedUntil: until }), said];
    for (const script of [...faults, extended(1).event(by('other'), 2, twin)]) expect(script.broken()).toEqual([rule]);
    const invented = new Script().ends('cancelled', { id: twin });
    invented.final = { ...invented.final, leaves: [...invented.final.leaves, leafAt(1, 'extension', 'd')] };
    expect(invented.broken()).toEqual([rule]);
  });

  describe('generations of keys', () => {
    const seconds = 'a request whose destroyed keys are gone for good has exactly one second attestation in the log';
    const gone = (generation: number, stated: readonly string[], leaves = stated.length) => {
      const script = new Script().ends('cancelled', { id: twin });
      const destroyed = { keys: 1, tombstones: [] };
      const said = (more: Partial<Attestation>) => attestationOf(twin, {}, { destroyed, ...more });
      const later = stated.map((generationDestroyedAt) =>
        said({ statement: 2, erasure: { secondPass: true, generation, generationDestroyedAt } }),
      );
      const logged = later.slice(0, leaves).map(({ digest }, n) => leafAt(1 + n, 'attestation', digest));
      const attestations = [said({ erasure: { secondPass: true, generation } }), ...later];
      script.final = { ...script.final, attestations, leaves: [...script.final.leaves, ...logged] };
      return script.broken();
    };

    it('finds a second attestation that lacks, has no leaf, comes twice, or comes of keys that are not gone', () => {
      const at = '2026-11-21T12:00:00.000Z';
      expect(gone(3, [at])).toEqual([]);
      expect(gone(4, [])).toEqual([]);
      expect(gone(3, [])).toEqual([seconds]);
      expect(gone(3, [at], 0)).toEqual([seconds]);
      expect(gone(3, [at, at])).toContain(seconds);
      expect(gone(4, [at])).toContain(seconds);
    });

    it('finds a second attestation that is earlier than the end of its generation', () => {
      expect(gone(3, ['2026-11-21T11:59:59.999Z'])).toEqual([
        'no second attestation is earlier than the end of its generation',
      ]);
    });

    it('finds a data key that does not open', () => {
      const script = new Script();
      script.unreadableKeys = ['kid'];
      expect(script.broken()).toEqual(['no living key fails to open after a rotation']);
    });
  });

  describe('waivers', () => {
    const by = (waivedBy: string) => ({ type: 'ParticipantReported', participant: 'crm', status: 'skipped', waivedBy });
    const waived = (leaves: number, { askedBy = 'office', stated = 'office' } = {}) => {
      const script = new Script().event(by('office') as never, 1, twin).ends('cancelled', { id: twin });
      script.history.waivers.push({ srid: twin, participant: 'crm', by: askedBy });
      const [{ record } = { record: { value: '' } }] = script.history.events;
      const digest = createHash('sha256').update(record.value).digest('base64url');
      const more = Array.from({ length: leaves }, (_, n) => leafAt(1 + n, 'waiver', digest));
      const attestations = [attestationOf(twin, stated === '' ? {} : { crm: stated })];
      script.final = { ...script.final, attestations, leaves: [...script.final.leaves, ...more] };
      return script;
    };

    it('finds one that counts twice, that nobody asked for, that has no leaf or two, and a leaf of none', () => {
      const rule = 'a waiver counts once, and is in the public log once';
      expect(waived(1).broken()).toEqual([]);
      for (const script of [waived(0), waived(2), waived(1, { askedBy: 'other' })])
        expect(script.broken()).toEqual([rule]);
      expect(
        waived(1)
          .event(by('other') as never, 2, twin)
          .broken(),
      ).toEqual([rule]);
      const invented = new Script().ends('cancelled', { id: twin });
      invented.final = { ...invented.final, leaves: [...invented.final.leaves, leafAt(1, 'waiver', 'd')] };
      expect(invented.broken()).toEqual([rule]);
    });

    it('finds an attestation that says nobody waived, or somebody else', () => {
      for (const stated of ['', 'other'])
        expect(waived(1, { stated }).broken()).toEqual(['an attestation names who waived a share']);
    });
  });

  it('finds two checkpoints of one size that differ', () => {
    const script = logged('a');
    script.history.checkpoints.push(...heads('a'), ...heads('a'));
    expect(script.broken()).toEqual([]);
    script.history.checkpoints.push(...heads('b'));
    expect(script.broken()).toContain('no two checkpoints of one size differ');
  });

  it('finds a checkpoint of another history, and one of leaves that are gone', () => {
    const signed = (script: Script, ...digests: string[]) => {
      script.history.checkpoints.push(...heads(...digests));
      return script.broken();
    };
    expect(signed(logged('a', 'b'), 'a', 'b')).toEqual([]);
    for (const digests of [['b'], ['a', 'c'], ['a', 'b', 'c']])
      expect(signed(logged('a', 'b'), ...digests)).toEqual(['the public log has one history']);
  });
});
