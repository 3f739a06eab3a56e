import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { issueCertificate } from '@opendsr-service/signing';
import { receiverTls } from '../e2e/standalone';
import type { TlsFiles } from '../receiver/receiver';

/** Where the demo receives callbacks, and what it shows there. */
export interface ReceiverPlace {
  /** The name of this machine at the service. */
  readonly host: string;
  /** The address that is listened on. */
  readonly bind: string;
  readonly tls: TlsFiles;
}

const LOOPBACK = '127.0.0.1';

/**
 * On this machine with the sandbox's certificate; or, for a service elsewhere, on every address with its name for this
 * machine.
 */
export async function placeOf(certificates: string, host: string | undefined): Promise<ReceiverPlace> {
  if (host === undefined) return { host: LOOPBACK, bind: LOOPBACK, tls: await receiverTls(certificates) };
  const [keyPem = '', certPem = ''] = await Promise.all(
    ['authority.key', 'authority.pem'].map((file) => readFile(join(certificates, file), 'utf8')),
  );
  const names = isIP(host) === 0 ? { dnsNames: [host] } : { dnsNames: [], ipAddresses: [host] };
  const made = await issueCertificate({
    authority: { keyPem, certPem },
    commonName: host,
    ...names,
    usage: 'server',
    days: 1,
    now: new Date(),
  });
  return { host, bind: '0.0.0.0', tls: { keyPem: made.keyPem, chainPem: made.certPem } };
}
