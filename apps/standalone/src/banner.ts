import { resolve } from 'node:path';
import { V1, V2 } from '@opendsr-service/contracts';
import { consoleLinkLine } from '@opendsr-service/gateway';

export interface BannerFacts {
  readonly url: string;
  /** URL of version 1, where it is served. */
  readonly urlV1: string | undefined;
  readonly adminUrl: string;
  readonly stores: { readonly kind: 'embedded'; readonly dataDir: string } | { readonly kind: 'servers' };
  readonly profile: 'sandbox' | 'production';
  /** Signs an operator in, once, at the console of this address. */
  readonly operatorLink: { readonly url: string; readonly token: string } | undefined;
  readonly sandbox:
    | { readonly key: string; readonly secret: string; readonly authorityFile: string | undefined }
    | undefined;
}

const HERE: readonly string[] = ['127.0.0.1', '0.0.0.0', '::', '::1'];

/** The host of a URL that reaches what listens on this address from the same machine. */
export function shownHost(address: string): string {
  if (HERE.includes(address)) return 'localhost';
  return address.includes(':') ? `[${address}]` : address;
}

const SAMPLE = {
  regulation: 'gdpr',
  subject_request_type: 'access',
  submitted_time: '',
  subject_identities: [{ identity_type: 'email', identity_value: 'ann@example.com', identity_format: 'raw' }],
};

export function banner({ url, urlV1, adminUrl, stores, profile, sandbox, operatorLink }: BannerFacts): string {
  const stored =
    stores.kind === 'embedded'
      ? [
          `stored in   ${resolve(stores.dataDir)}`,
          'durable     yes: what is answered with 201 or 202 is on the disk, and survives kill -9',
        ]
      : [
          'stored in   the Kafka and MongoDB servers that are configured',
          'durable     as those servers are: acks=all, majority writes',
        ];
  const times =
    profile === 'sandbox'
      ? 'sandbox: a whole round takes seconds (TIMING_PROFILE=production: the times of the interface)'
      : 'production: the times of the interface';
  const roots = [
    `OpenDSR 2.0 at ${url}/${V2.root}`,
    ...(urlV1 === undefined ? [] : [`OpenGDPR 1.0 at ${urlV1}/${V1.root}`]),
  ];
  return [
    '',
    'OpenDSR service',
    `  listening   ${url} (health: ${adminUrl}/readyz)`,
    `  speaks      ${roots.join(', ')}`,
    ...stored.map((line) => `  ${line}`),
    `  timing      ${times}`,
    ...(operatorLink === undefined ? [] : [`  ${consoleLinkLine(operatorLink.url, operatorLink.token)}`]),
    ...sandboxLines(url, sandbox),
    '',
  ].join('\n');
}

/** The shell inserts id and time. */
const sampleBody = (): string =>
  JSON.stringify({ ...SAMPLE, subject_request_id: '' })
    .replace('"subject_request_id":""', `"subject_request_id":"'$(node -p 'crypto.randomUUID()')'"`)
    .replace('"submitted_time":""', `"submitted_time":"'$(date -u +%FT%TZ)'"`);

function sandboxLines(url: string, sandbox: BannerFacts['sandbox']): string[] {
  if (!sandbox) return [];
  const { key, secret, authorityFile } = sandbox;
  return [
    `  workspace   sandbox, key ${key}, secret ${secret}`,
    ...(authorityFile ? [`  signed by   a THROW-AWAY authority made for this sandbox: ${resolve(authorityFile)}`] : []),
    '',
    'Try it:',
    `  curl -u '${key}:${secret}' -H 'Content-Type: application/json' ${url}/v2/requests \\`,
    `    -d '${sampleBody()}'`,
    '',
    'or see a whole round: npm run demo',
    '',
  ];
}
