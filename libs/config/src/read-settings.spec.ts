import {
  checkPortV1,
  checkSandbox,
  egressSettings,
  publicUrlSettings,
  sandboxSettings,
  sendingSettings,
} from './address-settings';
import { helpText } from './help';
import { checkHttp, httpSettings, httpLimitsOf } from './http-settings';
import { bool, choice, durationMs, durationsMs, file, int, list, port, text, url } from './parsers';
import { ConfigurationError, readSettings } from './read-settings';
import { checkMasterKey, makesMasterKey, masterKeySettings } from './key-settings';
import { checkSigning, signerSources, signingSettings } from './security-settings';
import { checkStores, storeSettings, storesOf } from './store-settings';
import { processSettings } from './process-settings';
import { checkRelay, timingSettings } from './timing-settings';

function faults(read: () => unknown): readonly string[] {
  try {
    read();
  } catch (error) {
    if (error instanceof ConfigurationError) return error.faults;
    throw error;
  }
  return [];
}

describe('readSettings', () => {
  const table = {
    NAME: text({ required: true, meaning: 'A name.' }),
    COUNT: int({ default: 3, min: 1, max: 9, meaning: 'A count.' }),
    PORT: port({ default: 8080, meaning: 'A port.' }),
    ON: bool({ default: false, meaning: 'A switch.' }),
    COLOUR: choice(['red', 'green'], { meaning: 'A colour.' }),
    HOME: url({ meaning: 'An address.' }),
    KEY: file({ meaning: 'A file.' }),
    WORDS: list({ meaning: 'Words.' }, /^[a-z]+$/, 'a word'),
    WAIT_MS: durationMs({ default: 90_000, meaning: 'A wait.' }),
    GAPS_MS: durationsMs({ default: [1000, 60_000], meaning: 'Gaps.' }),
  } as const;

  it('gives one typed object, with defaults where nothing is set; an empty variable is not set', () => {
    const values = readSettings(table, { NAME: 'n', COUNT: '' });
    const typed: { NAME: string; COUNT: number; COLOUR: 'red' | 'green' | undefined; WORDS: readonly string[] } =
      values;
    expect(typed).toEqual({
      NAME: 'n',
      COUNT: 3,
      PORT: 8080,
      ON: false,
      WORDS: [],
      WAIT_MS: 90_000,
      GAPS_MS: [1000, 60_000],
    });
  });

  it('reads every kind', () => {
    const env = {
      NAME: 'n',
      COUNT: '9',
      PORT: '0',
      ON: 'true',
      COLOUR: 'green',
      HOME: 'https://a.example/x/',
      KEY: __filename,
      WORDS: ' a, b ,',
      WAIT_MS: '15min',
      GAPS_MS: '5s, 2h,1d,250ms,7',
    };
    expect(readSettings(table, env)).toEqual({
      NAME: 'n',
      COUNT: 9,
      PORT: 0,
      ON: true,
      COLOUR: 'green',
      HOME: 'https://a.example/x',
      KEY: __filename,
      WORDS: ['a', 'b'],
      WAIT_MS: 900_000,
      GAPS_MS: [5000, 7_200_000, 86_400_000, 250, 7],
    });
  });

  it('lists all faults, one line each, and repeats no value', () => {
    const env = {
      COUNT: 'planted',
      PORT: '65536',
      ON: 'planted',
      COLOUR: 'planted',
      HOME: 'https://u:planted@a',
      KEY: '/planted',
      WORDS: 'a,PLANTED',
      WAIT_MS: '1 planted',
      GAPS_MS: 'planted',
    };
    const lines = faults(() => readSettings(table, env));
    expect(lines.map((line) => line.split(':')[0])).toEqual(Object.keys(table));
    expect(lines.join('\n')).not.toMatch(/planted|65536|PLANTED/);
    expect(lines[0]).toBe('NAME: must be set');
  });

  it.each([
    'https://u@h',
    'https://:planted@h',
    'https://@h',
    'https:/u@h',
    'https://h/?',
    'https://h/#',
    'https://h?a',
    'ftp://h',
    'https:h',
    'HTTP://h',
    'https:\\\\h',
    'https://h ',
    'https://h\r',
    'https://h/a\nb',
  ])('refuses an address with more than scheme, host and path, even where it is empty: %j', (HOME) => {
    expect(faults(() => readSettings(table, { NAME: 'n', HOME }))).toEqual([
      'HOME: must be an http:// or https:// address without user, query or fragment',
    ]);
    expect(readSettings(table, { NAME: 'n', HOME: 'https://h/@a' }).HOME).toBe('https://h/@a');
  });

  it('refuses durations beyond what a date can hold', () => {
    for (const env of [{ WAIT_MS: '36501d' }, { GAPS_MS: '1s,36501d' }])
      expect(faults(() => readSettings(table, { NAME: 'n', ...env }))).toHaveLength(1);
    expect(readSettings(table, { NAME: 'n', WAIT_MS: '0' }).WAIT_MS).toBe(0);
  });

  it('asks what goes together only when every value is whole', () => {
    const check = () => ['A and B: set both'];
    expect(faults(() => readSettings(table, { NAME: 'n' }, check))).toEqual(['A and B: set both']);
    expect(faults(() => readSettings(table, {}, check))).toEqual(['NAME: must be set']);
  });

  it('says in the help the name, default and meaning of each, from the same table', () => {
    const help = helpText('app', 'does things.', { ...table, ...timingSettings('sandbox'), ...publicUrlSettings });
    for (const name of Object.keys(table)) expect(help).toContain(`  ${name}  (`);
    expect(help).toContain('default: must be set)\n      A name.');
    expect(help).toContain('WAIT_MS  (duration; default: 90s)');
    expect(help).toContain('default: 2s (sandbox), 7d (production))');
    expect(help).toContain('default: http://localhost:PORT)');
  });
});

describe('the shared settings', () => {
  it('take both servers or neither, and neither only where stores are embedded', () => {
    const both = readSettings(storeSettings, { KAFKA_BROKERS: 'a:9092,b:9092', MONGODB_URI: 'mongodb://u:p@m/?x=1' });
    expect(storesOf(both)).toEqual({
      kind: 'servers',
      brokers: ['a:9092', 'b:9092'],
      mongodbUri: 'mongodb://u:p@m/?x=1',
    });
    expect(checkStores(both, false)).toEqual([]);
    const neither = readSettings(storeSettings, {});
    expect(storesOf(neither)).toEqual({ kind: 'embedded', dataDir: './data' });
    expect(checkStores(neither, true)).toEqual([]);
    expect(checkStores(neither, false)).toHaveLength(1);
    for (const env of [{ KAFKA_BROKERS: 'a:9092' }, { MONGODB_URI: 'mongodb://m' }])
      expect(checkStores(readSettings(storeSettings, env), true)).toEqual([
        'KAFKA_BROKERS and MONGODB_URI or MONGODB_URI_FILE: set both, or neither',
      ]);
  });

  it('replicate three times with two in step unless one is set on purpose', () => {
    expect(readSettings(storeSettings, {})).toMatchObject({ TOPIC_REPLICATION: 3, TOPIC_MIN_ISR: 2 });
    expect(checkStores(readSettings(storeSettings, { TOPIC_REPLICATION: '1' }), true)).toEqual([
      'TOPIC_MIN_ISR: must not be more than TOPIC_REPLICATION',
    ]);
    expect(checkStores(readSettings(storeSettings, { TOPIC_REPLICATION: '1', TOPIC_MIN_ISR: '1' }), true)).toEqual([]);
  });

  it('have the times of the interface in production and seconds in the sandbox, each of which can be set alone', () => {
    const production = readSettings(timingSettings('production'), {});
    expect(production).toMatchObject({
      ACCESS_WAIT_MS: 900_000,
      PORTABILITY_WAIT_MS: 900_000,
      ERASURE_WAIT_MS: 604_800_000,
      CALLBACK_TICK_MS: 900_000,
      COMPLETION_ESTIMATE_MS: 172_800_000,
      RESULTS_VALIDITY_MS: 604_800_000,
    });
    const sandbox = readSettings(timingSettings('production'), { TIMING_PROFILE: 'sandbox', ERASURE_WAIT_MS: '1h' });
    expect(sandbox).toMatchObject({
      ACCESS_WAIT_MS: 1000,
      ERASURE_WAIT_MS: 3_600_000,
      CALLBACK_TICK_MS: 1000,
      RESULTS_VALIDITY_MS: 604_800_000,
    });
  });

  it.each(
    Object.entries({ ...httpSettings, ...timingSettings('production'), ...processSettings, ...signingSettings }).filter(
      ([name]) => /_(POLL|RELOAD|TIMEOUT|KEEP_ALIVE|INTERVAL|STALL_LIMIT)_MS$/.test(name),
    ),
  )('take for %s, the time of a timer, none that fires at once or always', (_name, setting) => {
    for (const value of ['0', '25d', '30d']) expect(() => setting.parse(value)).toThrow('must be a duration from');
    expect(setting.parse('1h')).toBe(3_600_000);
  });

  it('refuse a first gap of the relay that is longer than the longest, or none', () => {
    const read = (env: Record<string, string>) => readSettings(timingSettings('production'), env);
    expect(checkRelay(read({}))).toEqual([]);
    expect(checkRelay(read({ RELAY_FIRST_GAP_MS: '2h' }))).toEqual([
      'RELAY_FIRST_GAP_MS: must not be longer than RELAY_LONGEST_GAP_MS',
    ]);
    expect(faults(() => read({ RELAY_FIRST_GAP_MS: '0' }))).toHaveLength(1);
  });

  it('build the public addresses on the port, those of version 1 on its own where it has one', () => {
    const read = (env: Record<string, string>) => readSettings({ ...httpSettings, ...publicUrlSettings }, env);
    expect(read({ PORT: '8181' })).toMatchObject({
      PUBLIC_URL_V2: 'http://localhost:8181',
      PUBLIC_URL_V1: 'http://localhost:8181',
      CERT_URL_V2: undefined,
      CERT_URL_V1: undefined,
    });
    expect(read({ PORT_V1: '8282' })).toMatchObject({
      PUBLIC_URL_V2: 'http://localhost:8080',
      PUBLIC_URL_V1: 'http://localhost:8282',
    });
  });

  it('refuse to version 1 a port that is taken by another listener', () => {
    const check = (env: Record<string, string>) =>
      checkPortV1(readSettings({ ...httpSettings, ...publicUrlSettings }, env));
    for (const PORT_V1 of ['8080', '9090'])
      expect(check({ PORT_V1 })).toEqual(['PORT_V1: must differ from PORT and ADMIN_PORT']);
    expect([check({}), check({ PORT_V1: '8081' }), check({ PORT: '0', PORT_V1: '0' })]).toEqual([[], [], []]);
  });

  it('refuse one port twice and timeouts in the wrong order', () => {
    const values = readSettings(httpSettings, { PORT: '9090', HTTP_HEADERS_TIMEOUT_MS: '31s' });
    expect(checkHttp(values)).toHaveLength(2);
    expect(httpLimitsOf(values)).toMatchObject({ headersTimeoutMs: 31_000, bodyBytes: 262_144 });
    const env = {
      HTTP_BODY_LIMIT_BYTES: '2048',
      HTTP_BODIES_LIMIT_BYTES: '20000000',
      HTTP_ANSWER_TIMEOUT_MS: '40s',
      HTTP_HEADER_LIMIT_BYTES: '8192',
      HTTP_REQUEST_TIMEOUT_MS: '9s',
      HTTP_KEEP_ALIVE_MS: '2min',
      HTTP_JSON_DEPTH_LIMIT: '20',
      HTTP_JSON_KEYS_LIMIT: '500',
    };
    expect(httpLimitsOf(readSettings(httpSettings, env))).toMatchObject({
      bodyBytes: 2048,
      bodiesBytes: 20_000_000,
      answerTimeoutMs: 40_000,
      headerBytes: 8192,
      requestTimeoutMs: 9_000,
      keepAliveTimeoutMs: 120_000,
      jsonDepth: 20,
      jsonKeys: 500,
    });
    expect(checkHttp(readSettings(httpSettings, { PORT: '0', ADMIN_PORT: '0' }))).toEqual([]);
    expect(checkHttp(readSettings(httpSettings, { HTTP_ANSWER_TIMEOUT_MS: '30s' }))).toEqual([
      'HTTP_ANSWER_TIMEOUT_MS: must be longer than HTTP_REQUEST_TIMEOUT_MS',
    ]);
  });

  it('want keys from files in production, which the sandbox makes for itself', () => {
    const table = { ...timingSettings('production'), ...masterKeySettings, ...signingSettings };
    const check = (env: Record<string, string>) => {
      const values = readSettings(table, env);
      return [
        ...checkMasterKey(values, makesMasterKey(values)),
        ...checkSigning(values, values.TIMING_PROFILE === 'sandbox'),
      ].map((line) => line.split(':')[0]);
    };
    const [v2, v1] = ['SIGNING_KEY_FILE_V2 and SIGNING_CHAIN_FILE_V2', 'SIGNING_KEY_FILE_V1 and SIGNING_CHAIN_FILE_V1'];
    expect(check({})).toEqual(['MASTER_KEY_FILE', v2, v1]);
    expect(check({ TIMING_PROFILE: 'sandbox' })).toEqual([]);
    const half = { SIGNING_KEY_FILE_V2: __filename, SIGNING_CHAIN_FILE_V1: __filename };
    expect(check({ ...half, TIMING_PROFILE: 'sandbox' })).toEqual([v2, v1]);
    expect(check({ ...half, MASTER_KEY_FILE: __filename })).toEqual([v2, v1]);
  });

  it('want no keys of version 1 where it is not served, and say so where they are missing', () => {
    const check = (env: Record<string, string>) =>
      checkSigning(
        readSettings(signingSettings, {
          SIGNING_KEY_FILE_V2: 'package.json',
          SIGNING_CHAIN_FILE_V2: 'package.json',
          ...env,
        }),
        false,
      );
    expect(check({})).toEqual(['SIGNING_KEY_FILE_V1 and SIGNING_CHAIN_FILE_V1: must be set, or SERVE_V1 to false']);
    expect(check({ SERVE_V1: 'false' })).toEqual([]);
  });

  it('name for each version served the files that are configured, else those that the sandbox made', () => {
    const read = (env: Record<string, string>) => readSettings(signingSettings, env);
    const made = {
      v2: { keyFile: 'made-2.key', chainFile: 'made-2.pem' },
      v1: { keyFile: 'made-1.key', chainFile: 'made-1.pem' },
    };
    const own = {
      SIGNING_KEY_FILE_V1: __filename,
      SIGNING_CHAIN_FILE_V1: 'package.json',
      PROCESSOR_DOMAIN_V1: 'opengdpr.service.com',
    };
    const v2 = { ...made.v2, domain: 'opendsr.localhost' };
    expect(signerSources(read({}), made)).toEqual({ v2, v1: { ...made.v1, domain: 'opengdpr.localhost' } });
    expect(signerSources(read(own), made)).toEqual({
      v2,
      v1: { keyFile: __filename, chainFile: 'package.json', domain: 'opengdpr.service.com' },
    });
    expect(signerSources(read({ ...own, SERVE_V1: 'false' }), made)).toEqual({ v2 });
    expect(() => signerSources(read(own))).toThrow(TypeError);
  });

  it('refuse the credentials of the sandbox in production, and half of them anywhere', () => {
    const check = (env: Record<string, string>) =>
      checkSandbox(readSettings({ ...timingSettings('sandbox'), ...sandboxSettings }, env));
    expect(check({ SANDBOX_KEY: 'k', SANDBOX_SECRET: 's' })).toEqual([]);
    expect(check({ SANDBOX_KEY: 'k' })).toHaveLength(1);
    expect(check({ SANDBOX_KEY: 'k', SANDBOX_SECRET: 's', TIMING_PROFILE: 'production' })).toEqual([
      'SANDBOX_KEY and SANDBOX_SECRET: refused in the production profile',
    ]);
  });

  it('refuse credentials of the sandbox that no header carries', () => {
    expect(readSettings(sandboxSettings, { SANDBOX_KEY: 'ä k', SANDBOX_SECRET: 's:s' })).toBeDefined();
    for (const SANDBOX_KEY of ['k:k', ':', 'k\n', 'k\u009f'])
      expect(faults(() => readSettings(sandboxSettings, { SANDBOX_KEY, SANDBOX_SECRET: 's\t' }))).toEqual([
        'SANDBOX_KEY: must be text without colons and control characters',
        'SANDBOX_SECRET: must be text without control characters',
      ]);
  });

  it('take addresses and ranges of both families and nothing else', () => {
    const read = (CALLBACK_ALLOW_CIDRS: string) => faults(() => readSettings(egressSettings, { CALLBACK_ALLOW_CIDRS }));
    expect(read('10.0.0.0/8,fd00::/64,::1/128,10.0.0.1')).toEqual([]);
    for (const bad of ['10.0.0.0/33', '10.0.0/8', 'fd00::/129', 'host/8', '10.0.0.0/8/8', '/8', 'x']) {
      expect(read(`10.0.0.0/8,${bad}`)[0]).toMatch(/^CALLBACK_ALLOW_CIDRS: entry 2 must be an address/);
    }
  });

  it('take names and addresses of hosts, and no port that would never match', () => {
    const read = (CALLBACK_ALLOW_HOSTS: string) => faults(() => readSettings(egressSettings, { CALLBACK_ALLOW_HOSTS }));
    expect(read('receiver.lan,10.0.0.1,fd00::1,[fd00:0::1]')).toEqual([]);
    for (const bad of [
      'receiver.lan:8443',
      '10.0.0.1:443',
      '[fd00::1]:8443',
      'cafe:8443',
      'fe80::1%eth0',
      'https://receiver.lan',
    ])
      expect(read(`receiver.lan,${bad}`)[0]).toMatch(/^CALLBACK_ALLOW_HOSTS: entry 2 must be a host name/);
  });

  it('send callbacks to port 443 unless other ports are allowed', () => {
    const read = (CALLBACK_ALLOW_PORTS: string) =>
      readSettings(egressSettings, { CALLBACK_ALLOW_PORTS }).CALLBACK_ALLOW_PORTS;
    expect(read('')).toEqual([443]);
    expect(read('443, 8443')).toEqual([443, 8443]);
    for (const bad of ['0', '65536', '443,', 'https', '-1', '443-450'])
      expect(faults(() => read(bad))[0]).toMatch(/^CALLBACK_ALLOW_PORTS: must be ports/);
  });

  it('limit every callback that is sent, and take no limit for none', () => {
    const read = (env: Record<string, string>) => faults(() => readSettings(sendingSettings, env));
    expect(read({})).toEqual([]);
    expect(read({ CALLBACK_TIMEOUT_MS: '0', CALLBACK_BODY_TIMEOUT_MS: '0' })).toEqual([
      'CALLBACK_BODY_TIMEOUT_MS: must be a duration from 10ms to 22d',
      'CALLBACK_TIMEOUT_MS: must be a duration from 10ms to 22d',
    ]);
  });

  it('name a page about the service in callbacks, none by default, and nothing that would end or break a header', () => {
    const read = (CALLBACK_CONTACT_URL: string) =>
      readSettings(sendingSettings, { CALLBACK_CONTACT_URL }).CALLBACK_CONTACT_URL;
    expect(readSettings(sendingSettings, {}).CALLBACK_CONTACT_URL).toBeUndefined();
    for (const good of [
      'https://dsr.example.com',
      'https://dsr.example.com:8443/about/?a=1#b',
      `https://a.example/${'a'.repeat(238)}`,
    ])
      expect(read(good)).toBe(good);
    const bad = [
      'http://dsr.example.com',
      'dsr.example.com',
      'https://',
      'https://a.example/ b',
      'https://a.example/\r\nX-A: b',
      'https://a.example/\tb',
      'https://a.example/\u0000',
      'https://a.example/(b)',
      'https://a.example/ü',
      'https://user:secret@a.example/',
      `https://a.example/${'a'.repeat(239)}`,
    ];
    for (const value of bad)
      expect(faults(() => read(value))).toEqual([
        'CALLBACK_CONTACT_URL: must be an https address of at most 256 characters, without parentheses',
      ]);
  });

  it('want a folder where a folder is named', () => {
    const read = (CALLBACK_CLIENT_CERT_DIR: string) =>
      faults(() => readSettings(sendingSettings, { CALLBACK_CLIENT_CERT_DIR }));
    expect(read('.')).toEqual([]);
    for (const bad of ['package.json', 'no-such-folder'])
      expect(read(bad)).toEqual(['CALLBACK_CLIENT_CERT_DIR: names a folder that cannot be read']);
  });

  it('name trusted proxies by address or range, none by default', () => {
    expect(readSettings(httpSettings, {}).TRUSTED_PROXIES).toEqual([]);
    expect(readSettings(httpSettings, { TRUSTED_PROXIES: '10.0.0.0/8, ::1' }).TRUSTED_PROXIES).toEqual([
      '10.0.0.0/8',
      '::1',
    ]);
    expect(faults(() => readSettings(httpSettings, { TRUSTED_PROXIES: 'proxy.example' }))[0]).toMatch(
      /^TRUSTED_PROXIES: entry 1 must be/,
    );
  });
});
