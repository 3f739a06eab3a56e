import { createHash, createSecretKey, randomBytes } from 'node:crypto';
import { evidenceLeaves, messageId, requestEvents, type RequestEvent } from '@opendsr-service/contracts';
import { leavesOf } from './leaves-of';

const [ws, srid, at] = ['acme', '475974fa-6b42-4370-bb56-b5d845686bb5', '2026-11-21T09:00:00.000Z'];
const key = createSecretKey(randomBytes(32));
const receipt = 'r'.repeat(43);
const event = (type: RequestEvent['type'], more: object = {}): RequestEvent =>
  ({ type, id: messageId(srid, 1), ws, srid, version: 1, commandSeq: 1, at, ...more }) as RequestEvent;
const leaves = (of: RequestEvent) =>
  leavesOf(of, key).map(({ value, headers }) => evidenceLeaves(key).decode({ value, headers }));
const request = { receivedAt: '2026-11-21T08:59:59.000Z', expectedAt: '2026-12-21T09:00:00.000Z' };

it('a received request gives the digest of its receipt, its received time and its expected completion', () => {
  expect(leaves(event('RequestReceived', { request: { ...request, receipt } }))).toMatchObject([
    { ws, kind: 'receipt', digest: receipt, at: request.receivedAt, dueAt: request.expectedAt },
  ]);
});

it('a received request with a legal date gives that date in place of the expected one', () => {
  const legalDueAt = '2027-01-04T23:59:59.999Z';
  expect(leaves(event('RequestReceived', { request: { ...request, receipt, legalDueAt } }))).toMatchObject([
    { kind: 'receipt', dueAt: legalDueAt },
  ]);
});

it('an extension gives the digest of its event, and the date until which it extends', () => {
  const extended = event('DeadlineExtended', { extendedUntil: '2027-02-22T23:59:59.999Z', extendedBy: 'privacy-team' });
  const digest = createHash('sha256').update(requestEvents.encode(extended).value).digest('base64url');
  expect(leaves(extended)).toMatchObject([{ ws, kind: 'extension', digest, at, dueAt: '2027-02-22T23:59:59.999Z' }]);
});

it('a waiver gives the digest of its event, and a report of the participant itself gives nothing', () => {
  const waived = event('ParticipantReported', { participant: 'crm', status: 'skipped', waivedBy: 'ops' });
  const digest = createHash('sha256').update(requestEvents.encode(waived).value).digest('base64url');
  expect(leaves(waived)).toMatchObject([{ ws, kind: 'waiver', digest, at }]);
  expect(leaves(event('ParticipantReported', { participant: 'crm', status: 'completed' }))).toEqual([]);
});

it('the same event gives the same leaf, and another event another leaf', () => {
  const ids = (of: RequestEvent) => leaves(of).map(({ id }) => id);
  const waived = (version: number) => event('ParticipantReported', { version, waivedBy: 'ops' });
  expect(ids(waived(3))).toEqual(ids(waived(3)));
  expect(ids(waived(3))).not.toEqual(ids(waived(4)));
});

it('an event that is no evidence gives no leaf', () => {
  expect(leaves(event('RequestReceived', { request }))).toEqual([]);
  for (const type of ['RequestCancelled', 'RequestStarted', 'RequestFulfilled', 'RequestCompleted'] as const)
    expect(leaves(event(type))).toEqual([]);
});
