import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@opendsr-service/service';
import { openSender } from './sender.config';
import { sending } from '../egress/testing/surroundings';

const log = createLogger('test', 'error');
const identitiesPollMs = 10_000;

it('a process reads the certificates of workspaces before it sends, and again and again, where there is a folder of them', async () => {
  const clientCertDir = mkdtempSync(join(tmpdir(), 'egress-'));
  const { prepare, pollers, client } = openSender({ sending: sending({}, { clientCertDir }), identitiesPollMs }, log);
  await expect(Promise.all(pollers.map((poller) => poller.runOnce()))).resolves.toEqual([0]);
  rmSync(clientCertDir, { recursive: true });
  for (const { run } of prepare) await expect(run()).rejects.toMatchObject({ code: 'ENOENT' });
  expect(prepare).toHaveLength(1);
  await client.close();
});

it('it reads nothing where there is none, or where something else sends', async () => {
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
  'one line at the start says what the operator allows, and this machine where receivers are tried out on it: %s',
  async (loopback, hosts) => {
    const lines: string[] = [];
    const told = createLogger('test', 'info', { write: (line) => void lines.push(line) });
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
      told,
    );
    await client.close();
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({ level: 'info', hosts, cidrs: '10.1.0.0/16,fd00::/8', ports: '443,8443', count: 4 }),
    ]);
  },
);
