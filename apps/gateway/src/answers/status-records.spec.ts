import { randomUUID } from 'node:crypto';
import { V1, V2, type ProtocolVersion, type RequestStatus, type RequestType } from '@opendsr-service/contracts';
import type { RequestDocument } from '../requests/request.document';
import { StatusRecords } from './status-records';

const at = new Date('2026-11-21T09:00:00Z');
const signer = { domain: 'dsr.example.com', certificatePem: '', fingerprint: '', notAfter: new Date(0), publishedName: '', sign: () => Promise.resolve('signature') };
const processorOf = (version: ProtocolVersion) => ({ version, domain: signer.domain, publicUrl: `https://${version.root}.example.com`, certificateUrl: '', signer });
const processors = new Map([V1, V2].map((version) => [version.apiVersion, processorOf(version)]));
const records = new StatusRecords({ token: (ws, srid, completedAt) => Promise.resolve(`${ws}.${srid}.${completedAt.getTime()}`) }, processors);

const ENDS = { completed: { completedAt: at }, cancelled: { cancelledAt: at }, in_progress: { startedAt: at }, pending: {} } as const;

const request = (version: ProtocolVersion, type: RequestType, status: RequestStatus): RequestDocument => ({
  _id: 'acme:1', ws: 'acme', srid: randomUUID(), status, controllerId: 'c', apiVersion: version.apiVersion, type,
  submittedTime: at, receivedAt: at, expectedAt: at, groupId: null, kid: 'k', seq: 1, outbox: [], v: 1, ...ENDS[status],
});

describe.each([['1.0', V1], ['2.0', V2]] as const)('the record of a request of version %s', (_, version) => {
  const linkOf = async (type: RequestType, status: RequestStatus) => {
    const document = request(version, type, status);
    const { results_url } = await records.of(document, processorOf(V2));
    return [results_url, `https://${version.root}.example.com/${version.root}/results/acme.${document.srid}.${at.getTime()}`];
  };

  it.each(['access', 'portability'] as const)('links to the results of a completed request for %s', async (type) => {
    const [link, expected] = await linkOf(type, 'completed');
    expect(link).toBe(expected);
  });

  it('links to nothing once an erasure is completed', async () => {
    expect((await linkOf('erasure', 'completed'))[0]).toBeNull();
  });

  it.each(['access', 'portability', 'erasure'] as const)('links to nothing before the completion of a request for %s, and where there will be none', async (type) => {
    for (const status of ['pending', 'in_progress', 'cancelled'] as const) expect((await linkOf(type, status))[0]).toBeNull();
  });
});
