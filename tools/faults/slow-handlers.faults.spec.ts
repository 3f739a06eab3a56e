import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { committedByWindow } from '@opendsr-service/messaging/testing';
import { Brokers } from './brokers';

const serversFolder = process.env['DSR_TEST_SERVERS'];
const silentAfterMs = 30_000;

// Each of the 15 rounds may take 35 s on a busy machine, and the brokers start before.
jest.setTimeout(900_000);

// The int suite has it with shorter times; this takes the times of the service, and six minutes.
(process.env['DSR_FAULTS'] === 'short' ? describe.skip : describe)(
  'a backlog of two members with a slow handler, of whose group a third comes and goes every 20 s',
  () => {
    let folder: string;
    let brokers: Brokers;

    beforeAll(async () => {
      if (!serversFolder) throw new Error('DSR_TEST_SERVERS names no folder with start-kafka');
      folder = mkdtempSync(join(tmpdir(), 'slow-'));
      brokers = await Brokers.start(serversFolder, folder);
    });

    afterAll(async () => {
      await brokers?.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    it('has commits in every window, although five hundred records take ten times the silence limit', async () => {
      const pace = { recordMs: (10 * silentAfterMs) / 500, rebalanceEveryMs: 20_000, roundsPerWindow: 3, windows: 5 };
      const windows = await committedByWindow(
        { brokers: brokers.addresses, clientId: 'slow' },
        { replication: 3, minIsr: 2 },
        pace,
      );
      process.stdout.write(`records committed in each window: ${windows.join(', ')}\n`);
      expect(windows.filter((count) => count <= 0)).toEqual([]);
    });
  },
);
