import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';
import { testCertificates } from '@opendsr-service/storage/testing';
import { openKeyService } from './open-keys';
import { awsCredentials } from './testing/aws-credentials';

// Node reads the environment of the whole process, and not the one of this spec.
const { env } = runInThisContext('process') as NodeJS.Process;
const PLAINTEXT = Buffer.from('plain').toString('base64');

describe('the certificate of a key service', () => {
  let folder: string;
  let server: Server;
  let calls: number;
  let authorityFile: string;
  const services = () => {
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return {
      transit: { type: 'transit', url, tokenFile: join(folder, 'token'), mount: 'transit', key: 'k' },
      'aws-kms': { type: 'aws-kms', url, region: 'eu-west-1', credentialsFile: join(folder, 'credentials'), key: 'k' },
    } as const;
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'key-service-tls-'));
    writeFileSync(join(folder, 'token'), 'token');
    writeFileSync(join(folder, 'credentials'), awsCredentials('AKID'));
    const certificates = await testCertificates(folder);
    ({ authorityFile } = certificates);
    const pem = readFileSync(certificates.serverFile, 'utf8');
    server = createServer({ key: pem, cert: pem }, (_request, response) => {
      calls += 1;
      response.end(JSON.stringify({ data: { plaintext: PLAINTEXT }, Plaintext: PLAINTEXT }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  beforeEach(() => {
    calls = 0;
    env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
  });
  afterEach(() => {
    delete env['NODE_TLS_REJECT_UNAUTHORIZED'];
  });
  afterAll(() => {
    server.close();
    server.closeAllConnections();
    rmSync(folder, { recursive: true });
  });

  it.each(['transit', 'aws-kms'] as const)('is verified whatever the environment says: %s', async (type) => {
    const unknown = await openKeyService(services()[type]);
    await expect(unknown.unseal('AAAA')).rejects.toMatchObject({ name: 'KeyServiceAway' });
    expect(calls).toBe(0);
    const known = await openKeyService({ ...services()[type], caFile: authorityFile });
    expect(String(await known.unseal('AAAA'))).toBe('plain');
  });
});
