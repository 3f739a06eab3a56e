import { bundleText, readBundle, type AttestationBundle } from './bundle';

const parts = {
  envelope: Buffer.from('{}'),
  index: 7,
  entry: Buffer.from('{"kind":"attestation"}'),
  inclusion: [Buffer.alloc(32, 1), Buffer.alloc(32, 2)],
  checkpoint: 'log\n8\nroot\n\n— log sig\n',
};
const bundle = JSON.parse(bundleText(parts)) as AttestationBundle;

it('is read back to what was put in', () => {
  expect(readBundle(bundle)).toEqual(parts);
});

it.each([
  ['nothing', undefined],
  ['a text', 'bundle'],
  ['another version', { ...bundle, schema: 2 }],
  ['an envelope that is not base64', { ...bundle, envelope: '{}' }],
  ['no entry', { ...bundle, leaf: { index: 7 } }],
  ['no index', { ...bundle, leaf: { entry: bundle.leaf.entry, index: '7' } }],
  ['no proof', { ...bundle, inclusion: undefined }],
  ['a hash that is none', { ...bundle, inclusion: [7] }],
  ['no checkpoint', { ...bundle, checkpoint: null }],
])('is none with %s', (_, other) => {
  expect(readBundle(other)).toBeUndefined();
});
