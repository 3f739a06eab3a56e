import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { V1, V2 } from '@opendsr-service/contracts';
import { signatureOf } from './authorities';
import type { Vector } from './vector';
import { bodyWith, DOMAIN, MINE, vectorsOf, type World } from './vector-world';

export async function goodVectors(world: World): Promise<Vector[]> {
  const v1Body = bodyWith({ api_version: '1.0' });
  return [
    capturedCallback(),
    ...(await vectorsOf(world, {
      'good-v2': { description: 'A callback of version 2 (OpenDSR).' },
      'good-v1': {
        description: 'A callback of version 1 (OpenGDPR), with the headers of that version.',
        body: v1Body,
        version: V1,
      },
      'good-header-case': {
        description: 'Names of headers are case-insensitive.',
        headers: {
          [V2.domainHeader.toLowerCase()]: DOMAIN,
          [V2.signatureHeader.toUpperCase()]: await signatureOf(bodyWith(), world.leaf),
        },
      },
      'good-unknown-fields': {
        description: 'Unknown fields are ignored.',
        body: bodyWith({ something_new: { a: 1 } }),
      },
      'good-extensions': {
        description: 'Shares of outside participants, as an array.',
        body: bodyWith({ extensions: [{ domain: 'crm.example', name: 'crm', status: 'sent', status_message: null }] }),
      },
      'good-extensions-object': {
        description: 'From a live processor: extensions as an object, against the interface.',
        body: bodyWith({ extensions: { 'opendsr.example.com': { status: 'sent' } } }),
      },
      'good-pretty-body': {
        description: 'The signature covers the bytes, with any white space.',
        body: Buffer.from(JSON.stringify(JSON.parse(bodyWith().toString()), null, 2)),
      },
      'good-whole-chain': {
        description: 'The file also holds the trusted authority.',
        chain: [world.leaf, world.between, world.root],
      },
      'good-chain-out-of-order': {
        description: 'The certificates after the leaf may be in any order.',
        chain: [world.leaf, world.root, world.between],
      },
    })),
  ];
}

/** A real callback from a published test fixture. Its lists are no longer available, so revocation is not checked. */
function capturedCallback(): Vector {
  const captured = (name: string) => readFileSync(join('libs/signing/src/golden', name));
  const chain = captured('opendsr_cert.pem').toString();
  return {
    name: 'good-captured',
    description:
      'A captured callback of a live processor, with the certificate of that time, checked on the day ' +
      'of its time. It has no api_version. The trusted authority is the last certificate of the file.',
    body_base64: captured('callback-body.json').toString('base64'),
    headers: {
      [V2.domainHeader]: 'opendsr.mparticle.com',
      [V2.signatureHeader]: captured('callback-signature.b64').toString(),
    },
    certificate_pem: chain,
    trust_pem: `${chain.match(/-----BEGIN[^-]+-----[^-]+-----END[^-]+-----/g)?.at(-1) ?? ''}\n`,
    now: '2025-06-09T12:00:00.000Z',
    allowed_domains: ['opendsr.mparticle.com'],
    callback_urls: [MINE, 'https://webhook.site/6dfd0447-e1f9-4a98-a391-25481898763b'],
    expected: { valid: true },
  };
}
