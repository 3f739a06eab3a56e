import { readSettings } from '@opendsr-service/config';
import { systemClock } from '@opendsr-service/service';
import type { Terminal } from '../command';
import { files } from '../files.store';
import { address } from '../options';
import { believed } from './believed';

const [DATA_DIR, V2, V1] = ['/nowhere', 'https://dsr.example', 'https://gdpr.example'];
const env = {
  ...{ DATA_DIR, PUBLIC_URL_V2: V2, PUBLIC_URL_V1: V1 },
  ...{ PROCESSOR_DOMAIN_V2: 'dsr.example', PROCESSOR_DOMAIN_V1: 'gdpr.example' },
};
const terminal = {
  ...{ files, now: () => systemClock.now(), print: () => {}, untilStopped: () => Promise.resolve() },
  settings: ((table, check) => readSettings(table, env, check)) as Terminal['settings'],
};

it.each([
  ['the domains of both versions', {}, { 'dsr.example': V2, 'gdpr.example': V1 }],
  ['the domain of version 1', { domain: 'gdpr.example' }, { 'gdpr.example': V1 }],
  ['several', { domain: 'gdpr.example,dsr.example' }, { 'gdpr.example': V1, 'dsr.example': V2 }],
  ['a domain that the settings do not have', { domain: 'constructor' }, { constructor: V2 }],
  [
    'one at a named address',
    { domain: 'gdpr.example', 'base-url': address('https://o.example/') },
    { 'gdpr.example': 'https://o.example' },
  ],
])('asks the public address of the version that a domain belongs to: %s', async (_what, given, expected) => {
  expect((await believed(given, terminal)).allowedDomains).toEqual(expected);
});
