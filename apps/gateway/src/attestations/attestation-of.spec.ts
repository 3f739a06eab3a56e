import { attestationOf, type AttestedRequest } from './attestation-of';

const day = (n: number): Date => new Date(Date.UTC(2026, 0, n, 12));

/** An access request, received on 1 January 2026 and due on the 31st, that has ended on `endedOn`. */
const requestOf = (endedOn: Date, more: Partial<AttestedRequest> = {}): AttestedRequest => ({
  ...{ _id: 'acme/r-1', ws: 'acme', srid: 'r-1', sentId: 'R-1', controllerId: 'acme-shop', apiVersion: '2.0' },
  ...{ type: 'access', regulation: 'gdpr', history: 'aGlzdG9yeQ', receipt: 'cmVjZWlwdA' },
  ...{ receivedAt: day(1), startedAt: day(2), completedAt: endedOn, legalDueAt: day(31) },
  ...more,
});
const extended = { extendedUntil: day(90), extendedAt: day(20) };

it.each<[string, AttestedRequest, boolean]>([
  ['before the legal date', requestOf(day(30)), true],
  ['in its last moment', requestOf(day(31)), true],
  ['a millisecond later', requestOf(new Date(day(31).getTime() + 1)), false],
  ['after it, but before the extended one', requestOf(day(60), extended), true],
  ['after the extended one', requestOf(day(91), extended), false],
])('attests whether the legal date was kept: a request that ended %s', (_, request, isKept) => {
  expect(attestationOf(request, 1)).toMatchObject({ legalDueAt: day(31).toISOString(), legalDateKept: isKept });
});

it('attests until when a request was extended, and when that was decided', () => {
  expect(attestationOf(requestOf(day(60), extended), 1).extension).toEqual({
    extendedUntil: day(90).toISOString(),
    decidedAt: day(20).toISOString(),
  });
  expect(attestationOf(requestOf(day(30)), 1)).not.toHaveProperty('extension');
});

it('says nothing of legal dates where no regulation was named', () => {
  const { regulation, legalDueAt, ...request } = requestOf(day(30));
  const attestation = attestationOf(request, 1);
  expect([regulation, legalDueAt]).not.toContain(undefined);
  for (const field of ['regulation', 'legalDueAt', 'legalDateKept']) expect(attestation).not.toHaveProperty(field);
});

it('attests the domain of each participant that has one, in the order of their names', () => {
  const at = day(3).toISOString();
  const reports = { results: { status: 'completed', at }, crm: { status: 'skipped', at } } as const;
  const extensions = [{ name: 'crm', domain: 'crm.example.com', status: 'pending', statusMessage: null }] as const;
  expect(attestationOf(requestOf(day(30), { reports, extensions }), 1).participants).toEqual([
    { name: 'crm', domain: 'crm.example.com', status: 'skipped', reportedAt: at },
    { name: 'results', status: 'completed', reportedAt: at },
  ]);
});

it.each<[string, number, number, object]>([
  ['of a profile whose key is destroyed', 1, 1, { secondPass: true, generation: 4, backups: 'not-known' }],
  ['that matched nobody: it needs no second pass', 0, 0, { secondPass: false, backups: 'not-known' }],
])('attests of an erasure %s', (_, profiles, keys, erasure) => {
  const destroyed = { profiles, batches: 0, keys, tombstones: [] };
  const reports = { ingestion: { status: 'completed', at: day(3).toISOString(), destroyed } } as const;
  expect(attestationOf(requestOf(day(30), { type: 'erasure', reports }), 4).erasure).toEqual(erasure);
});
