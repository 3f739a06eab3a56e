import { readFileSync } from 'node:fs';
import { RELEASE_FILE } from '../bench/release';
import { repository } from '../e2e/repository';
import { figuresOf, type Release } from './figures';
import { ASSUMED } from './model';
import { PAGE, sizingText } from './page';

const textOf = (path: string): string => readFileSync(repository(path), 'utf8');
const release = JSON.parse(textOf(RELEASE_FILE)) as Release;
const page = textOf(PAGE);

it('docs/sizing.md says what follows from the figures of the last release', () => {
  if (page !== sizingText(page, release))
    throw new Error('docs/sizing.md is behind tools/bench/release.json, or was changed by hand: run npm run reference');
});

it('docs/sizing.md states every assumption', () => {
  const { callbacksPerCreate, readsPerCreate, utilisation, diskFill, copies, leastReplicas, leastBrokers } = ASSUMED;
  for (const said of [
    `${String(callbacksPerCreate)} callbacks and ${String(readsPerCreate)} status read`,
    `${String(100 * utilisation)} %`,
    `${String(100 * diskFill)} %`,
    `${String(copies)} copies`,
    `${String(leastReplicas)} of each process`,
    `${String(leastBrokers)} brokers`,
    `${String(ASSUMED.diskBytes / 1e12)} TB`,
    `${String(ASSUMED.diskBytesPerSecond / 1e6)} MB a second`,
    `${String(ASSUMED.partitionBytesPerSecond / 1e6)} MB a second`,
  ])
    expect(page).toContain(said);
});

it('changes with the figures, and with nothing around its tables', () => {
  const [servers] = release.forms.filter(({ form }) => form === 'servers');
  const slower = { ...release, commit: 'other', forms: servers ? [servers] : [] };
  expect(sizingText(page, slower)).not.toBe(page);
  expect(sizingText(sizingText(page, slower), release)).toBe(sizingText(page, release));
});

it('says so where the figures or the place for them are missing', () => {
  expect(() => figuresOf({ forms: [] })).toThrow('the bench result lacks');
  expect(() => sizingText('# Sizing', release)).toThrow('has no place');
});
