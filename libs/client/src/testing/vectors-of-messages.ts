import { constants } from 'node:crypto';
import { V1, V2 } from '@opendsr-service/contracts';
import { signatureOf } from './authorities';
import type { Vector } from './vector';
import { bodyWith, DOMAIN, vectorsOf, type World } from './vector-world';

/** Callbacks with a valid certificate and invalid headers, signature or body. */
export async function messageForgeries(world: World): Promise<Vector[]> {
  const body = bodyWith();
  const signature = await signatureOf(body, world.leaf);
  const v2 = { [V2.domainHeader]: DOMAIN, [V2.signatureHeader]: signature };
  const v1 = { [V1.domainHeader]: DOMAIN, [V1.signatureHeader]: signature };
  const spare = { keys: world.spareKeys };
  return vectorsOf(world, {
    'headers-none': { description: 'Neither domain nor signature.', failed: 'headers', headers: {} },
    'headers-no-signature': {
      description: 'The signature header is missing.',
      failed: 'headers',
      headers: { [V2.domainHeader]: DOMAIN },
    },
    'headers-no-domain': {
      description: 'The domain header is missing.',
      failed: 'headers',
      headers: { [V2.signatureHeader]: signature },
    },
    'headers-both-versions': {
      description: 'The headers of both versions.',
      failed: 'headers',
      headers: { ...v2, ...v1 },
    },
    'headers-mixed-versions': {
      description: 'The domain of one version, the signature of the other.',
      failed: 'headers',
      headers: { [V2.domainHeader]: DOMAIN, [V1.signatureHeader]: signature },
    },
    'headers-domain-twice': {
      description: 'The domain header is given twice.',
      failed: 'headers',
      headers: { ...v2, [V2.domainHeader]: [DOMAIN, 'opendsr.other.example'] },
    },
    'headers-signature-twice': {
      description: 'Two signatures, joined to one value as HTTP allows.',
      failed: 'headers',
      headers: { ...v2, [V2.signatureHeader]: `${signature}, ${signature}` },
    },
    'domain-unknown': {
      description: 'A domain that is not in the allow list.',
      failed: 'domain',
      domain: 'opendsr.other.example',
    },
    'domain-below': {
      description: 'A name below an allowed one is another domain.',
      failed: 'domain',
      domain: `eu.${DOMAIN}`,
    },
    'signature-altered-byte': {
      description: 'One byte of the body was altered: completed became xompleted.',
      failed: 'signature',
      body: Buffer.from(body.toString().replace('completed', 'xompleted')),
      signedBody: body,
    },
    'signature-other-callback': {
      description: 'The signature is that of another callback.',
      failed: 'signature',
      signedBody: bodyWith({ request_status: 'pending' }),
    },
    'signature-re-encoded': {
      description: 'The body was parsed and serialised with other white space.',
      failed: 'signature',
      body: Buffer.from(JSON.stringify(JSON.parse(body.toString()), null, 1)),
      signedBody: body,
    },
    'signature-added-newline': {
      description: 'A line end was added to the body.',
      failed: 'signature',
      body: Buffer.concat([body, Buffer.from('\n')]),
      signedBody: body,
    },
    'signature-empty-body': { description: 'No body.', failed: 'signature', body: Buffer.alloc(0), signedBody: body },
    'signature-other-key': {
      description: 'Signed with another key than that of the certificate.',
      failed: 'signature',
      signature: await signatureOf(body, spare),
    },
    'signature-pss': {
      description: 'RSASSA-PSS instead of PKCS#1 v1.5.',
      failed: 'signature',
      signature: await signatureOf(body, world.leaf, { padding: constants.RSA_PKCS1_PSS_PADDING }),
    },
    'signature-sha1': {
      description: 'SHA-1 instead of SHA-256.',
      failed: 'signature',
      signature: await signatureOf(body, world.leaf, { hash: 'sha1' }),
    },
    'signature-sha512': {
      description: 'SHA-512 instead of SHA-256.',
      failed: 'signature',
      signature: await signatureOf(body, world.leaf, { hash: 'sha512' }),
    },
    'signature-truncated': {
      description: 'The last bytes of the signature are missing.',
      failed: 'signature',
      signature: signature.slice(0, -8),
    },
    'signature-base64url': {
      description: 'The alphabet of base64url, without padding.',
      failed: 'signature',
      signature: await urlSafeSignature(world, body),
    },
    'signature-hexadecimal': {
      description: 'Hexadecimal instead of Base64.',
      failed: 'signature',
      signature: Buffer.from(signature, 'base64').toString('hex'),
    },
    'signature-empty': {
      description: 'An empty signature.',
      failed: 'signature',
      headers: { ...v2, [V2.signatureHeader]: '' },
    },
    'body-no-json': {
      description: 'Correctly signed, but not JSON.',
      failed: 'body',
      body: Buffer.from('request_status=completed'),
    },
    'body-array': { description: 'Correctly signed, but not an object.', failed: 'body', body: Buffer.from('[]') },
    'body-no-utf8': {
      description: 'Correctly signed, but not UTF-8.',
      failed: 'body',
      body: Buffer.concat([body.subarray(0, 18), Buffer.from([0xff]), body.subarray(19)]),
    },
    'body-no-url': {
      description: 'Correctly signed, without status_callback_url: the intended receiver is unknown.',
      failed: 'body',
      body: bodyWith({ status_callback_url: undefined }),
    },
    'body-other-status': {
      description: 'Correctly signed, with an unknown status.',
      failed: 'body',
      body: bodyWith({ request_status: 'done' }),
    },
    'body-other-version': {
      description: 'Correctly signed, with an api_version that contradicts the headers.',
      failed: 'body',
      body: bodyWith({ api_version: '1.0' }),
    },
    'url-other': {
      description: 'Correctly signed, but for another receiver, which forwards it.',
      failed: 'url',
      body: bodyWith({ status_callback_url: 'https://another.example/callbacks' }),
    },
    'url-longer': {
      description: 'Correctly signed, for an address that only begins like that of the receiver.',
      failed: 'url',
      body: bodyWith({ status_callback_url: 'https://controller.example/dsr/callbacks/x' }),
    },
  });
}

/** Finds a body whose signature contains + or /, so that base64url differs. */
async function urlSafeSignature({ leaf }: World, body: Buffer): Promise<string> {
  const signature = await signatureOf(body, leaf);
  if (!/[+/]/.test(signature)) throw new Error('this signature looks the same in base64url: run it again');
  return Buffer.from(signature, 'base64').toString('base64url');
}
