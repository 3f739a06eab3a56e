import type { ApiVersion } from '@opendsr-service/contracts';
import type { Fault } from './faults';

/** What a version signs with. */
export interface FakeSigner {
  readonly domain: string;
  readonly keyPem: string;
  readonly chainPem: string;
}

export interface FakeOptions {
  readonly signers: Readonly<Record<ApiVersion, FakeSigner>>;
  readonly authorityPem: string;
  /** The one thing that it does wrong. */
  readonly broken?: Fault;
  /** Whether portability requests come to an end like all others; else they stay pending. */
  readonly isPortabilityQuick?: boolean;
  /** Those that it serves; undefined: both. */
  readonly versions?: readonly ApiVersion[];
}
