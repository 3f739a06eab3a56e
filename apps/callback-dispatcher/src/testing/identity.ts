import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  ensureSandboxCertificates,
  loadSigners,
  type SandboxCertificates,
  type Signers,
} from '@opendsr-service/signing';

/** Certificates and signers, valid now, which take a moment to make: once for a suite. */
export interface Identity {
  readonly certificates: SandboxCertificates;
  readonly signers: Required<Signers>;
  remove(): void;
}

export async function makeIdentity(now: Date): Promise<Identity> {
  const dir = mkdtempSync(join(tmpdir(), 'dispatch-certificates-'));
  const certificates = await ensureSandboxCertificates(dir, {
    domainV2: 'opendsr.localhost',
    domainV1: 'opengdpr.localhost',
    now,
  });
  const signers = await loadSigners(
    {
      v2: { ...certificates.v2, domain: 'opendsr.localhost' },
      v1: { ...certificates.v1, domain: 'opengdpr.localhost' },
    },
    now,
  );
  return {
    certificates,
    signers: signers as Required<Signers>,
    remove: () => {
      rmSync(dir, { recursive: true });
    },
  };
}
