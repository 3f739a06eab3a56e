import { ManualClock } from '@opendsr-service/service';
import { ensureIndexes } from '@opendsr-service/storage';
import type { TestDatabase } from '@opendsr-service/storage/testing';
import type { Connection } from 'mongoose';
import type { Destination } from '../destinations/destination';
import { DestinationsCollection } from '../destinations/destinations-collection.store';
import { HostOutcomes, type HostAttempt } from '../dispatch/host-outcomes';
import { HostAnswers } from './host-answers';
import { HostBacklog } from './host-backlog.store';
import { HostRecords } from './host-records.worker';
import { ReceivingHosts } from './receiving-hosts.store';

const DAY_MS = 86_400_000;
const at = (second: number) => new Date(Date.UTC(2026, 10, 21, 12, 0, second));
const iso = (second: number) => at(second).toISOString();

/** What operators see of hosts, on every store. */
export function hostAnswersContract(name: string, database: TestDatabase): void {
  describe(`hosts of destinations on ${name}`, () => {
    let connection: Connection;
    let destinations: DestinationsCollection;
    let outcomes: HostOutcomes;
    let clock: ManualClock;
    let records: HostRecords;
    let answers: HostAnswers;
    beforeAll(async () => {
      connection = await database.open();
      destinations = new DestinationsCollection(connection);
      answers = new HostAnswers(new ReceivingHosts(connection), new HostBacklog(destinations));
      await ensureIndexes(connection);
    });
    beforeEach(async () => {
      await connection.collection('hosts').deleteMany({});
      await connection.collection('destinations').deleteMany({});
      clock = new ManualClock(at(0));
      outcomes = new HostOutcomes();
      records = new HostRecords(outcomes, new ReceivingHosts(connection), clock);
    });
    afterAll(() => database.close());

    const tried = (id: string, second: number, outcome: HostAttempt['outcome'], pausedUntil?: Date): Promise<void> => {
      const [ws = '', host = ''] = id.split('|');
      const httpStatus = { delivered: 202, rejected: 500, gone: 410 }[outcome as string];
      outcomes.tried({ ws, host }, { at: at(second), outcome, httpStatus, pausedUntil });
      return records.flush();
    };
    const waiting = (id: string, srid: string, dueAt: Date | undefined, more: Partial<Destination> = {}) => {
      const [ws = '', host = ''] = id.split('|');
      return connection.collection<{ _id: string }>('destinations').insertOne({
        ...{ _id: `${ws}:${srid}|d`, ws, srid, destination: 'd', host, pending: [{ v: 1 }, { v: 2 }] },
        ...(dueAt && { dueAt }),
        ...more,
      });
    };
    const list = async (question: Partial<Parameters<HostAnswers['destinations']>[0]> = {}) => {
      const page = await answers.destinations({ limit: 10, ...question });
      return page.destinations.map(({ workspace, host }) => `${workspace}|${host}`);
    };

    it('show how the last attempt ended, what waits, and when it is sent', async () => {
      await tried('acme|h', 1, 'delivered');
      await tried('acme|h', 2, 'rejected');
      await tried('acme|h', 3, 'rejected');
      await waiting('acme|h', 'a', at(9), { tries: 2, failingSince: at(2), undeliveredSince: at(1) });
      await waiting('acme|h', 'b', at(8), { postponed: true });
      await waiting('acme|h', 'done', undefined);
      await waiting('other|h', 'c', at(7));
      const shown = {
        ...{ workspace: 'acme', host: 'h', state: 'failing' },
        last_attempt: { time: iso(3), outcome: 'rejected', http_status: 500 },
        ...{ last_delivered_time: iso(1), failing_since: iso(2), paused_until: null },
        ...{ waiting: 2, next_attempt_time: iso(8) },
      };
      expect(await answers.destinations({ limit: 10 })).toEqual({ destinations: [shown], next_cursor: null });
      expect(await answers.destination({ ws: 'acme', host: 'h' })).toEqual({
        ...shown,
        requests: [
          {
            ...{ subject_request_id: 'b', destination: 'd', callbacks: 2, undelivered_since: null },
            ...{ next_attempt_time: iso(8), failed_attempts: 0, failing_since: null, postponed: true },
          },
          {
            ...{ subject_request_id: 'a', destination: 'd', callbacks: 2, undelivered_since: iso(1) },
            ...{ next_attempt_time: iso(9), failed_attempts: 2, failing_since: iso(2), postponed: false },
          },
        ],
      });
      expect(await answers.destination({ ws: 'acme', host: 'unknown' })).toBeNull();
    });

    it('are well again after a success, and paused while their breaker is open', async () => {
      await tried('acme|h', 1, 'unreachable', at(31));
      const paused = { state: 'paused', failing_since: iso(1), paused_until: iso(31), last_delivered_time: null };
      expect((await answers.destinations({ limit: 1 })).destinations[0]).toMatchObject(paused);
      await tried('acme|h', 32, 'delivered');
      const well = { state: 'ok', failing_since: null, paused_until: null, waiting: 0, next_attempt_time: null };
      expect((await answers.destinations({ limit: 1 })).destinations[0]).toMatchObject(well);
      outcomes.tried({ ws: 'acme', host: 'h' }, { ...attempt(33, 'delivered') });
      outcomes.tried({ ws: 'acme', host: 'h' }, { ...attempt(34, 'rejected') });
      await records.flush();
      expect((await answers.destinations({ limit: 1 })).destinations[0]).toMatchObject({ failing_since: iso(34) });
    });

    it('are listed in pages, by state and by the workspaces that are asked for', async () => {
      for (const id of ['acme|a', 'acme|b', 'acme-x|a', 'zoo|a']) await tried(id, 1, 'delivered');
      await tried('acme|b', 2, 'rejected');
      await tried('zoo|a', 2, 'rejected');
      const all = await list();
      expect([...all].sort()).toEqual(['acme-x|a', 'acme|a', 'acme|b', 'zoo|a']);
      expect(await list({ state: 'failing' })).toEqual(['acme|b', 'zoo|a']);
      await tried('acme-x|b', 3, 'unreachable', at(31));
      expect(await answers.destinationCounts({})).toEqual({ failing: 2, paused: 1 });
      expect(await answers.destinationCounts({ workspaces: ['acme', 'other'] })).toEqual({ failing: 1, paused: 0 });
      expect(await answers.destinationCounts({ workspaces: [] })).toEqual({ failing: 0, paused: 0 });
      await connection.collection<{ _id: string }>('hosts').deleteOne({ _id: 'acme-x|b' });
      expect((await list({ workspaces: ['zoo', 'acme', 'acme-x'] })).sort()).toEqual([...all].sort());
      expect(await list({ workspaces: ['acme'] })).toEqual(['acme|a', 'acme|b']);
      expect(await list({ workspaces: [] })).toEqual([]);
      for (const workspaces of [undefined, ['acme', 'acme-x', 'zoo']]) {
        const seen: string[] = [];
        for (let after: string | undefined; ;) {
          const page = await answers.destinations({ limit: 1, after, workspaces });
          seen.push(...page.destinations.map(({ workspace, host }) => `${workspace}|${host}`));
          if (page.next_cursor === null) break;
          after = page.next_cursor;
        }
        expect(seen).toEqual(all);
      }
    });

    it('are written once a second at most, and forgotten after 90 days without an attempt', async () => {
      const seen = async () => (await list()).length;
      outcomes.tried({ ws: 'acme', host: 'a' }, attempt(0, 'delivered'));
      await records.runOnce();
      outcomes.tried({ ws: 'acme', host: 'b' }, attempt(0, 'delivered'));
      await records.runOnce();
      expect(await seen()).toBe(1);
      clock.advance(1_000);
      await records.runOnce();
      expect(await seen()).toBe(2);
      outcomes.tried({ ws: 'acme', host: 'c' }, attempt(0, 'delivered'));
      clock.advance(-DAY_MS);
      await records.runOnce();
      expect(await seen()).toBe(3);
      clock.advance(91 * DAY_MS);
      outcomes.tried({ ws: 'acme', host: 'b' }, { ...attempt(0, 'delivered'), at: clock.now() });
      await records.runOnce();
      expect(await list()).toEqual(['acme|b']);
    });

    const attempt = (second: number, outcome: HostAttempt['outcome']): HostAttempt => ({
      ...{ at: at(second), outcome, httpStatus: 202, pausedUntil: undefined },
    });
  });
}
