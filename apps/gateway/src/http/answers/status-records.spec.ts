import { randomUUID } from 'node:crypto';
import { V1, V2, type ProtocolVersion, type RequestStatus, type RequestType } from '@opendsr-service/contracts';
import type { RequestDocument } from '../../admission/request.document';
import { NamedSigner, signatureOf } from '../../testing/signer';
import { SignatureCache } from './signature-cache';
import { StatusRecords } from './status-records';

const at = new Date('2026-11-21T09:00:00Z');
const signer = new NamedSigner('dsr.example.com');
const processorOf = (version: ProtocolVersion) => ({
  version,
  domain: signer.domain,
  publicUrl: `https://${version.root}.example.com`,
  certificatesUrl: '',
  signer,
});
const processors = new Map([V1, V2].map((version) => [version.apiVersion, processorOf(version)]));
const records = new StatusRecords({ tokenFor: (ws, srid) => `${ws}.${srid}` }, processors, new SignatureCache(100), {
  key: () => Promise.resolve(undefined),
});

const ENDS = {
  completed: { completedAt: at },
  cancelled: { cancelledAt: at },
  in_progress: { startedAt: at },
  pending: {},
} as const;

const request = (version: ProtocolVersion, type: RequestType, status: RequestStatus): RequestDocument => ({
  _id: 'acme:1',
  ws: 'acme',
  srid: randomUUID(),
  status,
  controllerId: 'c',
  apiVersion: version.apiVersion,
  type,
  submittedTime: at,
  receivedAt: at,
  expectedAt: at,
  groupId: null,
  kid: 'k',
  seq: 1,
  outbox: [],
  openDestinations: [],
  v: 1,
  ...ENDS[status],
});

describe.each([
  ['1.0', V1],
  ['2.0', V2],
] as const)('the record of a request of version %s', (_, version) => {
  const linkOf = async (type: RequestType, status: RequestStatus) => {
    const document = request(version, type, status);
    const { results_url } = JSON.parse((await records.record(document, processorOf(V2))).toString()) as {
      results_url: string | null;
    };
    return [results_url, `https://${version.root}.example.com/${version.root}/results/acme.${document.srid}`];
  };

  it.each(['access', 'portability'] as const)('links to the results of a completed request for %s', async (type) => {
    const [link, expected] = await linkOf(type, 'completed');
    expect(link).toBe(expected);
  });

  it('has no results link for a completed erasure', async () => {
    expect((await linkOf('erasure', 'completed'))[0]).toBeNull();
  });

  it.each(['access', 'portability', 'erasure'] as const)(
    'has no results link before the completion of a request for %s, and after its cancel',
    async (type) => {
      for (const status of ['pending', 'in_progress', 'cancelled'] as const)
        expect((await linkOf(type, status))[0]).toBeNull();
    },
  );
});

describe('answers to reads', () => {
  const pending = request(V2, 'access', 'pending');
  const read = async (document: RequestDocument, version = V2) =>
    (await records.sign(await records.record(document, processorOf(version)), processorOf(version))).headers;
  const madeBy = async (reads: () => Promise<unknown>) => {
    const before = signer.made;
    await reads();
    return signer.made - before;
  };

  it('are signed once for each version of the record, in the name of the called root', async () => {
    expect(await madeBy(() => Promise.all([read(pending), read(pending), read(pending)]))).toBe(1);
    expect(await madeBy(() => read(pending))).toBe(0);
    expect(await madeBy(() => read({ ...pending, status: 'in_progress', v: 2 }))).toBe(1);
    expect([await read(pending), await read(pending, V1)]).toEqual([
      { 'X-OpenDSR-Processor-Domain': signer.domain, 'X-OpenDSR-Signature': signatureOf(signer.domain) },
      { 'X-OpenGDPR-Processor-Domain': signer.domain, 'X-OpenGDPR-Signature': signatureOf(signer.domain) },
    ]);
  });

  it('are signed once for each content of a list', async () => {
    const list = (...documents: RequestDocument[]) => records.signedList(documents, 'g', processorOf(V2));
    const other = request(V2, 'erasure', 'pending');
    expect(await madeBy(() => Promise.all([list(pending, other), list(pending, other)]))).toBe(1);
    expect(await madeBy(() => list(pending, { ...other, status: 'cancelled' }))).toBe(1);
    expect(await madeBy(() => list(pending, other))).toBe(0);
  });

  it('are signed again under a new certificate', async () => {
    signer.generation++;
    expect(await madeBy(() => read(pending))).toBe(1);
    expect(await madeBy(() => read(pending))).toBe(0);
  });
});
