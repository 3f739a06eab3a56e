import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@opendsr-service/service';
import { openSender } from './sender.config';
import { sending } from '../egress/testing/surroundings';

const log = createLogger('test', 'error');
const identitiesPollMs = 10_000;

it('a process reads workspace certificates before it sends, and polls them, if a folder is set', async () => {
  const clientCertDir = mkdtempSync(join(tmpdir(), 'egress-'));
  const { prepare, pollers, client } = openSender({ sending: sending({}, { clientCertDir }), identitiesPollMs }, log);
  await expect(Promise.all(pollers.map((poller) => poller.runOnce()))).resolves.toEqual([0]);
  rmSync(clientCertDir, { recursive: true });
  for (const { run } of prepare) await expect(run()).rejects.toMatchObject({ code: 'ENOENT' });
  expect(prepare).toHaveLength(1);
  await client.close();
});

it('a process reads no certificates without a folder, or with another sender', async () => {
  const plain = openSender({ sending: sending({}), identitiesPollMs }, log);
  expect([plain.prepare, plain.pollers]).toEqual([[], []]);
  await plain.client.close();
  const sender = { post: () => Promise.reject(new Error('not asked')), close: () => Promise.resolve() };
  expect(openSender({ sending: sending({}), identitiesPollMs, sender }, log)).toEqual({
    client: sender,
    prepare: [],
    pollers: [],
  });
});

it.each([
  [false, 'receiver.lan,10.9.9.9'],
  [true, 'receiver.lan,10.9.9.9,localhost,127.0.0.0/8,::1'],
])(
  'one log line at the start names the allowed hosts, ranges and ports, and any open loopback: %s',
  async (loopback, hosts) => {
    const lines: string[] = [];
    const logger = createLogger('test', 'info', { write: (line) => void lines.push(line) });
    const { client } = openSender(
      {
        sending: sending({
          hosts: ['receiver.lan', '10.9.9.9'],
          cidrs: ['10.1.0.0/16', 'fd00::/8'],
          ports: [443, 8443],
          loopback,
        }),
        identitiesPollMs,
      },
      logger,
    );
    await client.close();
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({ level: 'info', hosts, cidrs: '10.1.0.0/16,fd00::/8', ports: '443,8443', count: 4 }),
    ]);
  },
);
