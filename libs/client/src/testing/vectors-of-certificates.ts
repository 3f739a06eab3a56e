import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';
import { makeParty, rsaKeys } from './authorities';
import type { Vector } from './vector';
import { DOMAIN, vectorsOf, type World } from './vector-world';

const LONG_AGO = { from: new Date('2024-01-01T00:00:00Z'), until: new Date('2025-12-31T23:59:59Z') };
const TO_COME = { from: new Date('2026-01-01T00:00:01Z'), until: new Date('2027-01-01T00:00:00Z') };

/** Correctly signed callbacks with an invalid certificate. */
export async function certificateForgeries(world: World): Promise<Vector[]> {
  const { issue, root, between, leaf, spareKeys: keys } = world;
  const authority = { isAuthority: true, keys, issuer: root };
  const selfSigned = await makeParty({ name: DOMAIN, keys });
  const stranger = await makeParty({ name: 'Example Root', keys, isAuthority: true });
  const expired = await makeParty({ ...authority, ...LONG_AGO, name: 'Expired Authority' });
  const noAuthority = await makeParty({ ...authority, isAuthority: false, name: 'no-authority.example' });
  const tooDeep = await makeParty({ ...authority, issuer: between, name: 'Authority too deep' });
  const weak = await makeParty({ ...authority, hash: 'SHA-1', name: 'Authority signed with SHA-1' });
  const otherUsage = x509.KeyUsageFlags.keyEncipherment | x509.KeyUsageFlags.nonRepudiation;
  const curve = await webcrypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify']);
  return vectorsOf(world, {
    'certificate-none': { description: 'The file is empty.', failed: 'certificate', chain: [] },
    'certificate-broken': {
      description: 'The file has a truncated certificate.',
      failed: 'certificate',
      chain: [{ ...leaf, pem: leaf.pem.replace(/\n[^\n]+\n-----END/, '\n-----END') }],
    },
    'chain-untrusted': {
      description: 'Issued by an authority that is not trusted.',
      failed: 'chain',
      trust: [stranger],
    },
    'chain-same-name': {
      description: 'Issued by an authority with the name of the trusted one.',
      failed: 'chain',
      leaf: await issue({ issuer: stranger }),
      chain: [await issue({ issuer: stranger }), stranger],
    },
    'chain-self-signed': { description: 'Self-signed.', failed: 'chain', leaf: selfSigned, chain: [selfSigned] },
    'chain-self-signed-trusted': {
      description: 'Self-signed, and among the trusted ones.',
      failed: 'chain',
      leaf: selfSigned,
      chain: [selfSigned],
      trust: [selfSigned],
    },
    'chain-no-intermediate': {
      description: 'The certificate between leaf and trusted authority is missing.',
      failed: 'chain',
      chain: [leaf],
    },
    'chain-leaf-as-authority': {
      description: 'Issued with a certificate that is not an authority.',
      failed: 'chain',
      chain: [await issue({ issuer: noAuthority }), noAuthority],
    },
    'chain-too-long': {
      description: 'Longer than an authority on the path allows.',
      failed: 'chain',
      chain: [await issue({ issuer: tooDeep }), tooDeep, between],
    },
    'chain-expired-authority': {
      description: 'An authority on the path has expired.',
      failed: 'chain',
      chain: [await issue({ issuer: expired }), expired],
    },
    'chain-sha1': {
      description: 'An authority on the path is signed with SHA-1.',
      failed: 'chain',
      chain: [await issue({ issuer: weak }), weak],
    },
    'names-common-name-only': {
      description: 'The domain is the common name, but not among the alternative names.',
      failed: 'names',
      leaf: await issue({ dnsNames: ['opendsr.other.example'] }),
    },
    'names-no-alternative-name': {
      description: 'There are no alternative names.',
      failed: 'names',
      leaf: await issue({ dnsNames: [] }),
    },
    'names-alternative-name-only': {
      description: 'The domain is an alternative name, but not the common name.',
      failed: 'names',
      leaf: await issue({ name: 'opendsr.other.example', dnsNames: [DOMAIN] }),
    },
    'names-wildcard': {
      description: 'A wildcard is not the exact domain.',
      failed: 'names',
      leaf: await issue({ name: '*.processor.example' }),
    },
    'names-list-in-a-name': {
      description: 'One alternative name that looks like a list in the text that tools print.',
      failed: 'names',
      leaf: await issue({ dnsNames: [`evil.example, DNS:${DOMAIN}`] }),
    },
    'names-leaf-not-first': {
      description: 'The leaf is not the first certificate of the file, which receivers check.',
      failed: 'names',
      chain: [between, leaf],
    },
    'dates-expired': { description: 'Expired a second before.', failed: 'dates', leaf: await issue(LONG_AGO) },
    'dates-not-yet-valid': { description: 'Valid from a second later.', failed: 'dates', leaf: await issue(TO_COME) },
    'usage-no-digital-signature': {
      description: 'The key usage lacks digitalSignature.',
      failed: 'usage',
      leaf: await issue({ usage: otherUsage }),
    },
    'usage-rsa-1024': {
      description: 'An RSA key of 1024 bits.',
      failed: 'usage',
      leaf: await issue({ keys: await rsaKeys(1024) }),
    },
    'usage-elliptic-curve': {
      description: 'A key that is not RSA; the signature is ECDSA with SHA-256.',
      failed: 'usage',
      leaf: await issue({ keys: curve }),
    },
  });
}
