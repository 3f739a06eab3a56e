import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultLimits } from '@opendsr-service/edge';
import { ANSWER_WITHIN_MS } from '@opendsr-service/gateway/testing';
import { ACKNOWLEDGED_WITHIN_MS } from '@opendsr-service/ingestion/testing';
import { defaultWaitingLimits } from '@opendsr-service/messaging/testing';
import { standaloneTable } from './standalone.config';

const page = readFileSync(join(__dirname, '../../../docs/limits.md'), 'utf8');
const defaults = new Map(Object.entries(standaloneTable).map(([name, { shownDefault }]) => [name, shownDefault]));
/** The default and the setting of each row that names one. */
const documented = new Map(
  [...page.matchAll(/^\|[^|]+\| ([^|]+) \| `([A-Z_]+)` \|/gm)].map(([, shown = '', name = '']) => [name, shown]),
);

/** The value of each row that names no setting. */
const fixed = new Map([...page.matchAll(/^\| ([^|]+) \| ([^|]+) \| {2}\|/gm)].map(([, what, shown]) => [what, shown]));
const seconds = (ms: number): string => `${ms / 1_000} s`;

describe('docs/limits.md', () => {
  it('names existing settings with their defaults', () => {
    expect(Object.fromEntries(documented)).toEqual(
      Object.fromEntries([...documented.keys()].map((name) => [name, defaults.get(name)])),
    );
  });

  it.each([
    ['Number of headers', defaultLimits.headers.toLocaleString('en')],
    ['Address in the request line, bytes', defaultLimits.uriBytes.toLocaleString('en')],
    [
      'Records that a process has sent to Kafka without an acknowledgement',
      defaultWaitingLimits.maxRecords.toLocaleString('en'),
    ],
    ['The same, bytes', defaultWaitingLimits.maxBytes.toLocaleString('en')],
    ['Without an acknowledgement of Kafka, while records wait for one', seconds(defaultWaitingLimits.refuseAfterMs)],
    ['For Kafka to acknowledge a call to the identity and events endpoints', seconds(ACKNOWLEDGED_WITHIN_MS)],
    ['For results to begin an answer behind a results link', seconds(ANSWER_WITHIN_MS)],
  ])('names the fixed limit: %s', (what, value) => {
    expect(fixed.get(what)).toBe(value);
  });

  it('leaves no limit out', () => {
    const limits = [...defaults.keys()].filter((name) =>
      /LIMIT|TIMEOUT|KEEP|KEPT|SKEW|VALIDITY|GIVE_UP|CONCURRENCY|BREAKER|SLOW/.test(name),
    );
    expect(limits.filter((name) => !documented.has(name))).toEqual([]);
    expect(limits.length).toBeGreaterThan(20);
  });
});
