import { createHash } from 'node:crypto';
import type { Signer } from '@opendsr-service/signing';

/** The signature of every NamedSigner of a domain. */
export const signatureOf = (domain: string): string => Buffer.from(`signed by ${domain}`).toString('base64');

/** A signer whose signatures say whose they are, and which counts them. `generation` distinguishes its certificates. */
export class NamedSigner implements Signer {
  made = 0;

  constructor(
    readonly domain: string,
    private readonly publishedAs = 'opendsr',
    public generation = 1,
  ) {}

  readonly notAfter = new Date('2100-01-01T00:00:00Z');

  /** What it becomes with its next certificate. */
  next(): NamedSigner {
    return new NamedSigner(this.domain, this.publishedAs, this.generation + 1);
  }

  get certificatePem(): string {
    return `certificate ${this.generation} of ${this.domain}`;
  }

  get fingerprint(): string {
    return createHash('sha256').update(this.certificatePem).digest('hex');
  }

  get publishedName(): string {
    return `${this.publishedAs}-${this.fingerprint.slice(0, 32)}.pem`;
  }

  sign(): Promise<string> {
    this.made++;
    return Promise.resolve(signatureOf(this.domain));
  }
}
