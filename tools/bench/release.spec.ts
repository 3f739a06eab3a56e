import { readFileSync } from 'node:fs';
import { repository } from '../e2e/repository';
import { againstLine, RELEASE_FILE, textOf, type KeptResult } from './release';

const kept = readFileSync(repository(RELEASE_FILE), 'utf8');

it('keeps as many digits as a repeated run confirms, and counts whole', () => {
  expect(JSON.parse(textOf({ cpuMs: 1.234567, ratio: 0.000123456, count: 1234567 }))).toEqual({
    cpuMs: 1.235,
    ratio: 0.0001235,
    count: 1234567,
  });
});

it('says what the figures are compared with', () => {
  const machine = { cpu: 'Some CPU ', cores: 2, memoryGib: 8, node: 'v24' };
  const line = againstLine({ startedAt: '2026-01-02T03:04:05.000Z', commit: null, machine, forms: [] }, 'a.json');
  expect(line).toBe('before: a.json, 2026-01-02, no commit, 2 cores of Some CPU, Node v24');
});

describe('the result of the last release', () => {
  it('names its commit and its machine, and no path', () => {
    const { commit, machine } = JSON.parse(kept) as KeptResult;
    expect(commit).toMatch(/^[\w.-]+$/);
    expect(machine.cores).toBeGreaterThan(0);
    expect(kept).not.toMatch(/"[^"]*(?:\/(?:tmp|home|work|root|Users|var)\/|file:)/);
  });

  it('is of both forms, of the settings that a service has of itself, without a fault', () => {
    const { forms, settings } = JSON.parse(kept) as KeptResult & { readonly settings: object };
    expect(forms.map(({ form }) => form).sort()).toEqual(['embedded', 'servers']);
    expect(settings).toEqual({});
    expect(kept).not.toMatch(/"faults": \[\s*"/);
  });
});
