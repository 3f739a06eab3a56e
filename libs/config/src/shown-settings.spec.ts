import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings } from './read-settings';
import { durationMs, list, text } from './parsers';
import { sandboxSettings } from './address-settings';
import { shownSettings } from './shown-settings';
import { storeSettings } from './store-settings';
import { timingSettings } from './timing-settings';
import { traceSettings } from './trace-settings';

const SECRET = 'never-to-be-seen';

it('shows values as they are written, and nothing where there is none', () => {
  const table = {
    PAUSE_MS: durationMs({ default: 15_000, meaning: 'A pause.' }),
    HOSTS: list({ meaning: 'Hosts.' }),
    NAME: text({ meaning: 'A name.' }),
  };
  expect(shownSettings(table, readSettings(table, { HOSTS: 'a, b' }))).toEqual([
    { name: 'PAUSE_MS', value: '15s', isHidden: false },
    { name: 'HOSTS', value: 'a,b', isHidden: false },
    { name: 'NAME', isHidden: false },
  ]);
});

it('hides connection strings, secrets, what files hold, and the headers and addresses of collectors', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'shown-')), 'password');
  writeFileSync(file, `mongodb://user:${SECRET}@host/\n`);
  const table = { ...timingSettings('sandbox'), ...storeSettings, ...sandboxSettings, ...traceSettings };
  const given = {
    ...{ MONGODB_URI: `mongodb://user:${SECRET}@host/`, MONGODB_URI_FILE: file, KAFKA_SASL_PASSWORD_FILE: file },
    ...{ SANDBOX_KEY: 'key', SANDBOX_SECRET: SECRET, OTEL_EXPORTER_OTLP_HEADERS: `authorization=${SECRET}` },
    OTEL_EXPORTER_OTLP_ENDPOINT: `https://user:${SECRET}@collector.example.com`,
  };
  const shown = shownSettings(table, readSettings(table, given));
  expect(JSON.stringify(shown)).not.toContain(SECRET);
  expect(
    shown
      .filter(({ isHidden }) => isHidden)
      .map(({ name }) => name)
      .sort(),
  ).toEqual(
    Object.keys(given)
      .filter((name) => name !== 'SANDBOX_KEY')
      .sort(),
  );
  expect(shown).toContainEqual({ name: 'SANDBOX_KEY', value: 'key', isHidden: false });
});
