import { sign } from 'node:crypto';
import type { ProtocolVersion } from '@opendsr-service/contracts';
import type { Reply } from './fake-http';
import type { FakeOptions } from './fake-options';
import type { Fault } from './faults';

/** Signs what the fake sends. */
export class FakeSignatures {
  constructor(
    private readonly signers: FakeOptions['signers'],
    private readonly is: (fault: Fault) => boolean,
  ) {}

  /** The headers of an answer. */
  headersOf(
    { status }: Reply,
    bytes: Buffer,
    { version, method }: { version: ProtocolVersion; method?: string },
  ): Record<string, string> {
    if (status >= 400 || (method === 'GET' && this.is('status not signed'))) return {};
    const headers = this.signatureOf(bytes, version);
    if (method === 'POST' && this.is('no domain header on receipts')) delete headers[version.domainHeader];
    if (method === 'POST' && this.is('no signature on receipts')) delete headers[version.signatureHeader];
    return headers;
  }

  signatureOf(bytes: Buffer, version: ProtocolVersion): Record<string, string> {
    const { domain, keyPem } = this.signers[version.apiVersion];
    const signature = sign(
      'sha256',
      this.is('signature over other bytes') ? Buffer.concat([bytes, Buffer.from('\n')]) : bytes,
      keyPem,
    ).toString('base64');
    return { [version.domainHeader]: domain, [version.signatureHeader]: signature };
  }
}
