import { UsageError } from '../options';
import { isLostIn, spans } from './lost-entries';

const restored = spans('2025-12-01/2025-12-02, 2026-01-05T09:00Z/2026-01-05T10:00Z');
const at = '2026-01-05T09:00:00.000Z';

it.each<readonly [boolean, { readonly kind: string; readonly at: string }]>([
  [true, { kind: 'identity-reveal', at }],
  [true, { kind: 'parked-drop', at: '2026-01-05T10:00:00.000Z' }],
  [true, { kind: 'parked-drop', at: '2025-12-01T12:00:00.000Z' }],
  [false, { kind: 'identity-reveal', at: '2026-01-05T08:59:59.999Z' }],
  [false, { kind: 'identity-reveal', at: '2026-01-05T10:00:00.001Z' }],
  [false, { kind: 'identity-reveal', at: 'none' }],
  ...['receipt', 'attestation', 'waiver', 'extension'].map((kind) => [false, { kind, at }] as const),
])('a restore has lost the document: %s, of %j', (isLost, leaf) => {
  expect(isLostIn(restored)(leaf)).toBe(isLost);
});

it.each(['2026-01-05', '2026-01-06/2026-01-05', '2026-01-05/2026-01-06/2026-01-07', '2026-01-05/', 'then/now'])(
  'takes no span that is none: %s',
  (text) => {
    expect(() => spans(text)).toThrow(UsageError);
  },
);
