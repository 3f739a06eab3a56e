import { askAgainMs } from './ask-again';

const NOW = new Date('2026-11-28T12:00:00Z');
const BUNDLE = new Uint8Array();

it.each([
  ['has just ended', null, '2026-11-28T11:59:58Z', 5_000],
  ['ended some time ago', null, '2026-11-28T11:50:00Z', false],
  ['has its attestation', BUNDLE, '2026-11-28T11:59:58Z', false],
  ['is not read', undefined, '2026-11-28T11:59:58Z', false],
  ['has not ended', null, null, false],
])('knows whether to ask again for the attestation of a request that %s', (_what, bundle, ended, expected) => {
  expect(askAgainMs(bundle, ended, NOW)).toBe(expected);
});
