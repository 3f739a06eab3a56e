import { randomUUID, sign } from 'node:crypto';
import { issueCertificate, makeSandboxAuthority } from '@opendsr-service/signing';
import type { VerifyOptions } from '../verify/types';
import type { ParticipantExtension } from '../words';

/** A signing processor, and the options to trust it. */
export interface Sender {
  readonly trusting: Omit<VerifyOptions, 'callbackUrls'>;
  headersOf(body: string): Record<string, string>;
}

export const DOMAIN = 'opendsr.example.com';

export async function makeSender(now = new Date()): Promise<Sender> {
  const authority = await makeSandboxAuthority({ commonName: 'authority', days: 1, now });
  const leaf = await issueCertificate({
    authority,
    commonName: DOMAIN,
    dnsNames: [DOMAIN],
    usage: 'signing',
    days: 1,
    now,
  });
  return {
    trusting: { allowedDomains: [DOMAIN], trust: authority.certPem, certificatePem: leaf.certPem },
    headersOf: (body) => ({
      'content-type': 'application/json; charset=utf-8',
      'x-opendsr-processor-domain': DOMAIN,
      'x-opendsr-signature': sign('sha256', Buffer.from(body), leaf.keyPem).toString('base64'),
      'x-delivery-id': randomUUID(),
    }),
  };
}

/** Spaced as no parser and serialiser would leave it. */
export const callbackText = (url: string, extensions: readonly ParticipantExtension[] | null = null): string =>
  JSON.stringify(
    {
      controller_id: '1402',
      expected_completion_time: '2026-11-23T09:15:00.000Z',
      status_callback_url: url,
      subject_request_id: randomUUID(),
      request_status: 'pending',
      api_version: '2.0',
      results_url: null,
      extensions,
    },
    null,
    1,
  );
