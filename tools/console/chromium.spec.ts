import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findChromium } from './chromium';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'opendsr-chromium-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

it.each([
  [['chromium', 'chromium-headless-shell'], 'chromium-headless-shell'],
  [['chromium'], 'chromium'],
])('of %j on the PATH, %s is the browser of the tests', (programs, expected) => {
  for (const name of programs) writeFileSync(join(folder, name), '', { mode: 0o755 });
  expect(findChromium({ PATH: folder })).toBe(join(folder, expected));
});
