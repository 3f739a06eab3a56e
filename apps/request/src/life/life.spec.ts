import type { ParticipantStatus, RequestEvent } from '@opendsr-service/contracts';
import { decide, fold, type Input } from './decide';
import { initialState } from './state';

const ws = 'acme';
const srid = '475974fa-6b42-4370-bb56-b5d845686bb5';
const at = '2026-11-21T09:00:00.000Z';
const id = '00000000-0000-5000-8000-000000000001';
const sealed = 'c2VhbGVkIHRleHQgb2YgdGhlIHZhdWx0LCBub3RoaW5nIGVsc2U=';
const request = {
  controllerId: '1', apiVersion: '2.0', type: 'access', submittedTime: at, receivedAt: at, startAt: at, expectedAt: at, groupId: null,
  fingerprint: 'f', kid: 'k', identities: sealed, callbacks: [],
} as const;
const work = { type: 'access', kid: 'k', identities: sealed } as const;

const submit: Input = { type: 'SubmitRequest', id, ws, srid, at, seq: 1, request };
const cancel: Input = { type: 'CancelRequest', id, ws, srid, at, seq: 2 };
const start = (...participants: string[]): Input => ({ type: 'StartRequest', id, ws, srid, at, seq: 2, work, participants });
const complete: Input = { type: 'CompleteRequest', id, ws, srid, at, seq: 3 };
const report = (participant: string, status: ParticipantStatus = 'completed'): Input => ({ type: 'ParticipantReport', id, ws, srid, at, participant, status });

/** Lives through the inputs, ignored ones included, and says what the last one gave. */
const given = (...before: Input[]) => {
  const state = before.reduce((s, input) => {
    const events = decide(s, input);
    return typeof events === 'string' ? s : fold(s, events);
  }, initialState);
  return { when: (input: Input) => ({ then: (expected: string[] | string) => { expect(brief(decide(state, input))).toEqual(expected); } }) };
};
const brief = (outcome: readonly RequestEvent[] | string) => (typeof outcome === 'string' ? outcome : outcome.map((e) => `${e.version}/${e.commandSeq} ${e.type}`));

describe('the life of a request', () => {
  it('begins when it is submitted', () => { given().when(submit).then(['1/1 RequestReceived']); });
  it('ends when it is cancelled while pending', () => { given(submit).when(cancel).then(['2/2 RequestCancelled']); });
  it('goes on when its waiting time is over', () => { given(submit).when(start('results')).then(['2/2 RequestStarted']); });
  it('is fulfilled at once where nobody takes part', () => { given(submit).when(start()).then(['2/2 RequestStarted', '3/2 RequestFulfilled']); });
  it('is fulfilled by the last report', () => {
    given(submit, start('a', 'b')).when(report('a')).then(['3/2 ParticipantReported']);
    given(submit, start('a', 'b'), report('a')).when(report('b', 'skipped')).then(['4/2 ParticipantReported', '5/2 RequestFulfilled']);
  });
  it('waits for a participant that failed, and takes its later report', () => {
    given(submit, start('a')).when(report('a', 'failed')).then(['3/2 ParticipantReported']);
    given(submit, start('a'), report('a', 'failed')).when(report('a', 'sent')).then(['4/2 ParticipantReported', '5/2 RequestFulfilled']);
  });
  it('is completed by the gateway once it is fulfilled', () => {
    given(submit, start('a'), report('a')).when(complete).then(['5/3 RequestCompleted']);
  });
});

describe('what leaves no event', () => {
  it('a command that came before', () => {
    given(submit).when(submit).then('repeat');
    given(submit, cancel).when(submit).then('repeat');
    given(submit, start('a'), report('a'), complete).when(complete).then('repeat');
  });
  it('a command whose predecessor is missing', () => {
    given().when(cancel).then('gap');
    given(submit).when(complete).then('gap');
  });
  it('a report that changes nothing, is final already, or comes from nobody who was asked', () => {
    given(submit, start('a', 'b'), report('a')).when(report('a', 'failed')).then('repeat');
    given(submit, start('a', 'b'), report('a', 'failed')).when(report('a', 'failed')).then('repeat');
    given(submit, start('a')).when(report('b')).then('not-registered');
    given(submit).when(report('a')).then('not-started');
    given().when(report('a')).then('not-started');
    given(submit, cancel).when(report('a')).then('not-registered');
  });
});

it('gives an event the same id whenever it is decided', () => {
  const [first] = decide(initialState, submit) as RequestEvent[];
  const [again] = decide(initialState, { ...submit, at: '2027-01-01T00:00:00.000Z' }) as RequestEvent[];
  expect(first?.id).toBe(again?.id);
});
