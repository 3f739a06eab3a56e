import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callbackUrlFault } from '@opendsr-service/edge';
import { readSettings } from '@opendsr-service/config';
import { callbackDispatcherTable } from '../callback-dispatcher.config';
import { sendingOf } from './sending.config';

const read = (env: Record<string, string> = {}) => sendingOf(readSettings(callbackDispatcherTable, env));

it('limits of an attempt are the documented ones, and each can be set', async () => {
  await expect(read()).resolves.toMatchObject({
    limits: {
      connectMs: 5_000,
      headersMs: 10_000,
      bodyMs: 5_000,
      totalMs: 15_000,
      answerBytes: 65_536,
      connections: 320,
    },
  });
  const env = {
    CALLBACK_CONNECT_TIMEOUT_MS: '1s',
    CALLBACK_HEADERS_TIMEOUT_MS: '2s',
    CALLBACK_BODY_TIMEOUT_MS: '3s',
    CALLBACK_TIMEOUT_MS: '4s',
    CALLBACK_ANSWER_LIMIT_BYTES: '5',
  };
  await expect(read(env)).resolves.toMatchObject({
    limits: { connectMs: 1_000, headersMs: 2_000, bodyMs: 3_000, totalMs: 4_000, answerBytes: 5 },
  });
});

it('callbacks name product and version, and the contact URL if the operator sets one', async () => {
  const { version } = JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8')) as { version: string };
  expect((await read()).userAgent).toBe(`opendsr-service/${version}`);
  expect((await read({ CALLBACK_CONTACT_URL: 'https://dsr.example.com/about?a=1' })).userAgent).toBe(
    `opendsr-service/${version} (+https://dsr.example.com/about?a=1)`,
  );
});

it('the loopback is closed in production, and open on every port in the sandbox, but not without TLS', async () => {
  for (const url of ['https://localhost:8443/', 'https://127.0.0.1/', 'https://[::1]:1/']) {
    expect(callbackUrlFault(url, (await read()).policy)).toBeDefined();
    expect(callbackUrlFault(url, (await read({ TIMING_PROFILE: 'sandbox' })).policy)).toBeUndefined();
  }
  expect(callbackUrlFault('http://localhost:8080/', (await read({ TIMING_PROFILE: 'sandbox' })).policy)).toBeDefined();
});

it('hosts, ranges and ports are those that the operator allows', async () => {
  const { policy } = await read({
    CALLBACK_ALLOW_HOSTS: 'receiver.lan',
    CALLBACK_ALLOW_CIDRS: '10.0.0.0/8',
    CALLBACK_ALLOW_PORTS: '443,8443',
  });
  for (const url of [
    'http://receiver.lan:1/',
    'https://10.1.1.1/',
    'https://10.1.1.1:8443/',
    'https://controller.example:8443/',
  ])
    expect(callbackUrlFault(url, policy)).toBeUndefined();
  for (const url of ['https://10.1.1.1:22/', 'http://10.1.1.1/', 'https://11.lan/'])
    expect(callbackUrlFault(url, policy)).toBeDefined();
});

it('the authority and the folder of certificates are those that the operator names', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'egress-'));
  writeFileSync(`${dir}/ca.pem`, 'an authority');
  await expect(read({ CALLBACK_CA_FILE: `${dir}/ca.pem`, CALLBACK_CLIENT_CERT_DIR: dir })).resolves.toMatchObject({
    extraCa: 'an authority',
    clientCertDir: dir,
  });
  rmSync(dir, { recursive: true });
});
