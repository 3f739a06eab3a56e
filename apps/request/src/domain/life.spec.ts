import type {
  ParticipantReport,
  ParticipantReported,
  ParticipantStatus,
  RequestEvent,
} from '@opendsr-service/contracts';
import type { RegisteredParticipant } from '@opendsr-service/workspaces';
import { decide, fold, type RequestInput } from './decide';
import { initialState } from './state';

const ws = 'acme';
const srid = '475974fa-6b42-4370-bb56-b5d845686bb5';
const at = '2026-11-21T09:00:00.000Z';
const id = '00000000-0000-5000-8000-000000000001';
const sealed = 'c2VhbGVkIHRleHQgb2YgdGhlIHZhdWx0LCBub3RoaW5nIGVsc2U=';
const request = {
  controllerId: '1',
  apiVersion: '2.0',
  type: 'access',
  submittedTime: at,
  receivedAt: at,
  startAt: at,
  expectedAt: at,
  groupId: null,
  fingerprint: 'f',
  kid: 'k',
  identities: sealed,
  callbacks: [],
} as const;
const work = { type: 'access', kid: 'k', identities: sealed } as const;

const submit: RequestInput = { type: 'SubmitRequest', id, ws, srid, at, seq: 1, request };
const cancel: RequestInput = { type: 'CancelRequest', id, ws, srid, at, seq: 2 };
/** `name@domain` is an outside participant. */
const taking = (text: string): RegisteredParticipant => {
  const [name, domain] = text.split('@') as [string, string?];
  return { name, ...(domain !== undefined && { domain }) };
};
const start = (...participants: string[]): RequestInput => ({
  type: 'StartRequest',
  id,
  ws,
  srid,
  at,
  seq: 2,
  work,
  participants: participants.map(taking),
});
const extend = (seq: number): RequestInput => ({
  type: 'ExtendDeadline',
  ...{ id, ws, srid, at, seq, extendedUntil: at, extendedBy: 'privacy-office', reason: sealed },
});
const complete: RequestInput = { type: 'CompleteRequest', id, ws, srid, at, seq: 3 };
let reports = 0;
/** Each is a second later than the one that was made before. */
const report = (
  participant: string,
  status: ParticipantStatus = 'completed',
  more: Partial<ParticipantReport> = {},
): RequestInput => ({
  type: 'ParticipantReport',
  id,
  ws,
  srid,
  at: new Date(Date.parse(at) + ++reports * 1_000).toISOString(),
  participant,
  status,
  ...more,
});

/** Lives through the inputs, ignored ones included. */
const lived = (...inputs: RequestInput[]) =>
  inputs.reduce((state, input) => {
    const events = decide(state, input);
    return typeof events === 'string' ? state : fold(state, events);
  }, initialState);
/** Says what one more input gives. */
const given = (...before: RequestInput[]) => {
  const state = lived(...before);
  return {
    when: (input: RequestInput) => ({
      then: (expected: string[] | string) => {
        expect(brief(decide(state, input))).toEqual(expected);
      },
    }),
  };
};
const brief = (outcome: readonly RequestEvent[] | string) =>
  typeof outcome === 'string' ? outcome : outcome.map((e) => `${e.version}/${e.commandSeq} ${e.type}`);

describe('the life of a request', () => {
  it('begins when it is submitted', () => {
    given().when(submit).then(['1/1 RequestReceived']);
  });
  it('ends when it is cancelled while pending', () => {
    given(submit).when(cancel).then(['2/2 RequestCancelled']);
  });
  it('starts when its waiting time is over', () => {
    given(submit).when(start('results')).then(['2/2 RequestStarted']);
  });
  it('is fulfilled at once without participants', () => {
    given(submit).when(start()).then(['2/2 RequestStarted', '3/2 RequestFulfilled']);
  });
  it('is fulfilled by the last report', () => {
    given(submit, start('a', 'b')).when(report('a')).then(['3/2 ParticipantReported']);
    given(submit, start('a', 'b'), report('a'))
      .when(report('b', 'skipped'))
      .then(['4/2 ParticipantReported', '5/2 RequestFulfilled']);
  });
  it('waits for a participant that failed, and accepts its later report', () => {
    given(submit, start('a')).when(report('a', 'failed')).then(['3/2 ParticipantReported']);
    given(submit, start('a'), report('a', 'failed'))
      .when(report('a', 'sent'))
      .then(['4/2 ParticipantReported', '5/2 RequestFulfilled']);
  });
  it('continues when a participant is waived', () => {
    given(submit, start('a', 'b'), report('a', 'failed'), report('b'))
      .when(report('a', 'skipped', { waivedBy: 'jo' }))
      .then(['5/2 ParticipantReported', '6/2 RequestFulfilled']);
  });
  it('waits for a participant of any name that has not reported', () => {
    given(submit, start('constructor', 'b')).when(report('b')).then(['3/2 ParticipantReported']);
    given(submit, start('constructor', 'b'), report('b'))
      .when(report('constructor'))
      .then(['4/2 ParticipantReported', '5/2 RequestFulfilled']);
  });
  it('is completed by the gateway once it is fulfilled', () => {
    given(submit, start('a'), report('a')).when(complete).then(['5/3 RequestCompleted']);
  });
});

describe('an extension of the legal date', () => {
  const as = (input: RequestInput, seq: number): RequestInput => ({ ...input, seq }) as RequestInput;

  it('is an event of its own that changes no status, pending and in progress', () => {
    given(submit).when(extend(2)).then(['2/2 DeadlineExtended']);
    given(submit, extend(2))
      .when(as(start('a'), 3))
      .then(['3/3 RequestStarted']);
    given(submit, start('a'), extend(3)).when(report('a')).then(['4/3 ParticipantReported', '5/3 RequestFulfilled']);
    given(submit, extend(2)).when(as(cancel, 3)).then(['3/3 RequestCancelled']);
  });
  it('counts also after the request was fulfilled, because the gateway decided it before the completion', () => {
    given(submit, start('a'), report('a')).when(extend(3)).then(['5/3 DeadlineExtended']);
    given(submit, start('a'), report('a'), extend(3)).when(as(complete, 4)).then(['6/4 RequestCompleted']);
  });
  it('is applied once, and only after the command before it', () => {
    given(submit, extend(2)).when(extend(2)).then('repeat');
    given(submit).when(extend(3)).then('gap');
  });
  it('names its operator and its new legal date, and keeps the reason sealed', () => {
    expect(said(submit, extend(2))).toEqual([
      expect.objectContaining({ extendedUntil: at, extendedBy: 'privacy-office', reason: sealed }),
    ]);
  });
});

describe('a failure that is reported again', () => {
  const failed = report('a', 'failed', { statusMessage: 'disk full' }) as ParticipantReport;
  it.each([
    ['another message', { statusMessage: 'still full' }],
    ['no message any more', {}],
  ])('with %s counts', (_what, more) => {
    given(submit, start('a'), failed)
      .when(report('a', 'failed', more))
      .then(['4/2 ParticipantReported']);
  });
  it('is a repeat if it is not later than the last one of its participant; a final status always counts', () => {
    const last = { ...failed, at: '2026-11-21T10:00:00.000Z' };
    for (const at of ['2026-11-21T09:59:59.999Z', '2026-11-21T11:00:00.000+01:00']) {
      given(submit, start('a', 'b'), last)
        .when(report('a', 'failed', { at }))
        .then('repeat');
      given(submit, start('a', 'b'), last)
        .when(report('a', 'completed', { at }))
        .then(['4/2 ParticipantReported']);
    }
  });
  it('is compared only with reports of the same participant, and a waiver counts at any time', () => {
    const early = { at: '2026-11-21T08:00:00.000Z' };
    given(submit, start('a', 'b'), failed)
      .when(report('b', 'failed', early))
      .then(['4/2 ParticipantReported']);
    given(submit, start('a', 'b'), failed)
      .when(report('a', 'skipped', { ...early, waivedBy: 'ops' }))
      .then(['4/2 ParticipantReported']);
  });
});

/** What the last input made the request service say. */
const said = (...inputs: RequestInput[]) =>
  decide(lived(...inputs.slice(0, -1)), inputs.at(-1) as RequestInput) as RequestEvent[];
const shown = (...inputs: RequestInput[]) =>
  said(...inputs).map((event) =>
    'extensions' in event
      ? event.extensions?.map(
          ({ domain, name, status, statusMessage }) => `${name}@${domain} ${status} ${statusMessage}`,
        )
      : undefined,
  );

describe('the shown state of outside participants', () => {
  const begun = [submit, start('results', 'crm@crm.example', 'mail@mail.example')];
  const crm = report('crm', 'failed', { statusMessage: 'disk full' });
  const all = [
    ...begun,
    report('results'),
    crm,
    report('mail', 'skipped', { statusMessage: 'nobody there' }),
    report('crm', 'completed'),
  ];

  it('is pending for all of them once the request has started', () => {
    expect(shown(...begun)).toEqual([['crm@crm.example pending null', 'mail@mail.example pending null']]);
  });
  it('follows each report, and is repeated after a report of our own', () => {
    expect(shown(...begun, report('results'))).toEqual([
      ['crm@crm.example pending null', 'mail@mail.example pending null'],
    ]);
    expect(shown(...begun, crm)).toEqual([['crm@crm.example failed disk full', 'mail@mail.example pending null']]);
    expect(shown(...begun, crm, report('mail', 'sent'))).toEqual([
      ['crm@crm.example failed disk full', 'mail@mail.example sent null'],
    ]);
  });
  it('is sent after a participant reports completed, without the message of its failure', () => {
    const after = ['crm@crm.example sent null', 'mail@mail.example skipped nobody there'];
    expect(shown(...all)).toEqual([after, undefined]);
    expect(shown(...all, complete)).toEqual([after]);
  });
  it('is missing if only our own services take part', () => {
    const own = [submit, start('ingestion', 'results'), report('results'), report('ingestion'), complete];
    for (const n of [2, 3, 4, 5])
      for (const event of said(...own.slice(0, n))) expect(event).not.toHaveProperty('extensions');
  });
});

describe('what is passed on of a report', () => {
  const reported = (...input: RequestInput[]) =>
    said(submit, start('ingestion', 'crm'), ...input)[0] as ParticipantReported;

  it('includes its message and the operator of a waiver', () => {
    expect(reported(report('crm', 'skipped', { statusMessage: 'gone', waivedBy: 'jo' }))).toMatchObject({
      status: 'skipped',
      statusMessage: 'gone',
      waivedBy: 'jo',
    });
    for (const field of ['statusMessage', 'waivedBy', 'erased', 'extensions'])
      expect(reported(report('crm'))).not.toHaveProperty(field);
  });
  it('includes erased subjects only from the report of ingestion', () => {
    expect(reported(report('ingestion', 'completed', { erased: ['e1', 'e2'] })).erased).toEqual(['e1', 'e2']);
    expect(reported(report('crm', 'completed', { erased: ['e1'] }))).not.toHaveProperty('erased');
    expect(reported(report('ingestion', 'skipped', { waivedBy: 'jo', erased: ['e1'] }))).not.toHaveProperty('erased');
  });
  it('counts what was destroyed from the reports of our own services alone', () => {
    const destroyed = { keys: 1, tombstones: [id] };
    const results = () => said(submit, start('results', 'crm'), report('results', 'completed', { destroyed }))[0];
    expect(reported(report('ingestion', 'completed', { destroyed })).destroyed).toEqual(destroyed);
    expect(results()).toMatchObject({ destroyed });
    expect(reported(report('crm', 'completed', { destroyed }))).not.toHaveProperty('destroyed');
    expect(reported(report('ingestion', 'skipped', { waivedBy: 'jo', destroyed }))).not.toHaveProperty('destroyed');
  });
});

describe('no event follows from', () => {
  it('a repeated command', () => {
    given(submit).when(submit).then('repeat');
    given(submit, cancel).when(submit).then('repeat');
    given(submit, start('a'), report('a'), complete).when(complete).then('repeat');
  });
  it('a command whose predecessor is missing', () => {
    given().when(cancel).then('gap');
    given(submit).when(complete).then('gap');
  });
  it('a report that changes nothing, is final already, or comes from a system that does not take part', () => {
    given(submit, start('a', 'b'), report('a')).when(report('a', 'failed')).then('repeat');
    given(submit, start('a', 'b'), report('a', 'failed')).when(report('a', 'failed')).then('repeat');
    given(submit, start('a'), report('a', 'failed', { statusMessage: 'm' }))
      .when(report('a', 'failed', { statusMessage: 'm' }))
      .then('repeat');
    given(submit, start('a', 'b'), report('a', 'sent'))
      .when(report('a', 'sent', { statusMessage: 'late' }))
      .then('repeat');
    given(submit, start('a')).when(report('b')).then('not-registered');
    given(submit).when(report('a')).then('not-started');
    given(submit, cancel).when(report('a')).then('not-started');
    given().when(report('a')).then('unknown-request');
  });
});

it('an event has the same id at every decision', () => {
  const [first] = decide(initialState, submit) as RequestEvent[];
  const [again] = decide(initialState, { ...submit, at: '2027-01-01T00:00:00.000Z' }) as RequestEvent[];
  expect(first?.id).toBe(again?.id);
});
