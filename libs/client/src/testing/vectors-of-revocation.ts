import * as x509 from '@peculiar/x509';
import { makeList, makeParty, type Party } from './authorities';
import type { Vector } from './vector';
import { LISTS, vectorsOf, type World } from './vector-world';

const PEM_LINE = /.{1,64}/g;

export async function revocationVectors(world: World): Promise<Vector[]> {
  const between = await makeParty({
    name: 'Authority with lists',
    keys: world.between.keys,
    issuer: world.root,
    isAuthority: true,
    lists: [LISTS.between],
  });
  const leaf = await world.issue({ issuer: between, lists: [LISTS.leaf] });
  const ofRoot = await makeList(world.root);
  const other: Party = await world.issue({ issuer: between });
  const stranger: Party = { ...between, keys: world.spareKeys };
  const good = await makeList(between, { revoked: [other], address: LISTS.leaf });
  const chain = [leaf, between];
  const unlisted = await world.issue({ issuer: between });
  const withLeafList = async (issuer: Party, wish: Parameters<typeof makeList>[1]) => ({
    leaf,
    chain,
    lists: { [LISTS.between]: ofRoot, [LISTS.leaf]: await makeList(issuer, wish) },
  });
  return vectorsOf(world, {
    'good-lists': {
      description: 'Each certificate but the trusted one names a list, and is not on it; another one is.',
      leaf,
      chain,
      lists: { [LISTS.between]: ofRoot, [LISTS.leaf]: good },
    },
    'good-list-pem': {
      description: 'A list as PEM.',
      leaf,
      chain,
      lists: { [LISTS.between]: ofRoot, [LISTS.leaf]: pemOf(good) },
    },
    'good-removed-from-list': {
      description: 'The entry has removeFromCRL: the certificate is no longer on hold.',
      ...(await withLeafList(between, { revoked: [leaf], reason: x509.X509CrlReason.removeFromCRL })),
    },
    'revocation-leaf': {
      description: 'The certificate is on its list.',
      failed: 'revocation',
      ...(await withLeafList(between, { revoked: [other, leaf], reason: x509.X509CrlReason.keyCompromise })),
    },
    'revocation-on-hold': {
      description: 'A certificate on hold counts as revoked.',
      failed: 'revocation',
      ...(await withLeafList(between, { revoked: [leaf], reason: x509.X509CrlReason.certificateHold })),
    },
    'revocation-authority': {
      description: 'The authority on the path is on its list.',
      failed: 'revocation',
      leaf,
      chain,
      lists: { [LISTS.between]: await makeList(world.root, { revoked: [between] }), [LISTS.leaf]: good },
    },
    'revocation-no-list': {
      description: 'One list is unavailable.',
      failed: 'revocation',
      leaf,
      chain,
      lists: { [LISTS.between]: ofRoot },
    },
    'revocation-no-list-at-all': {
      description: 'All lists are unavailable.',
      failed: 'revocation',
      leaf,
      chain,
      lists: {},
    },
    'revocation-none-named': {
      description: 'The certificate names no list, and the receiver requires one for each.',
      failed: 'revocation',
      revocation: 'require',
      leaf: unlisted,
      chain: [unlisted, between],
      lists: { [LISTS.between]: ofRoot },
    },
    'revocation-broken-list': {
      description: 'The downloaded file is not a list.',
      failed: 'revocation',
      leaf,
      chain,
      lists: { [LISTS.between]: ofRoot, [LISTS.leaf]: Buffer.from('<html>') },
    },
    'revocation-old-list': {
      description: 'The list is out of date.',
      failed: 'revocation',
      ...(await withLeafList(between, {
        from: new Date('2025-12-01T00:00:00Z'),
        until: new Date('2025-12-31T00:00:00Z'),
      })),
    },
    'revocation-early-list': {
      description: 'The list is not yet valid.',
      failed: 'revocation',
      ...(await withLeafList(between, { from: new Date('2026-01-02T00:00:00Z') })),
    },
    'revocation-forged-list': {
      description: 'The list is signed with another key than that of the authority.',
      failed: 'revocation',
      ...(await withLeafList(stranger, {})),
    },
    'revocation-other-authority': {
      description: 'The list is from another authority.',
      failed: 'revocation',
      ...(await withLeafList(world.root, {})),
    },
    'revocation-other-list': {
      description: 'A list of the right authority for another address: it may omit this certificate.',
      failed: 'revocation',
      ...(await withLeafList(between, { address: 'http://lists.authority.example/leaves-8.crl' })),
    },
    'revocation-sha1-list': {
      description: 'The list is signed with SHA-1.',
      failed: 'revocation',
      ...(await withLeafList(between, { hash: 'SHA-1' })),
    },
  });
}

function pemOf(list: Buffer): Buffer {
  const lines = list.toString('base64').match(PEM_LINE) ?? [];
  return Buffer.from(['-----BEGIN X509 CRL-----', ...lines, '-----END X509 CRL-----', ''].join('\n'));
}
