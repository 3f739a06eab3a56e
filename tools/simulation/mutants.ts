import type { Patch } from './bundle';

/** A fault that was planted into the sources: the simulation proves that it looks by finding each. */
export interface Mutant {
  readonly name: string;
  readonly patches: readonly Patch[];
  /** The rules that it is to break, at least one of them: a fault that merely throws proves nothing. */
  readonly breaks: readonly string[];
  /** The worlds in which alone it shows: where more want into a group than it takes, or where stores stall. */
  readonly needs?: 'crowd' | 'stalls';
}

const gateway = 'apps/gateway/src';
const destinations = 'apps/callback-dispatcher/src/destinations';

/** `handle` of a consumer that handles the last record of each key in a batch, and none of those before it. */
const newestOnly = (file: string, apply: string): Patch => ({
  file,
  find: `return eachInOrder(records, (record) => ${apply});`,
  replace: `const newest = new Map(records.map((record) => [record.key, record]));
    return eachInOrder(records, async (record) => (newest.get(record.key) === record ? ${apply} : 'skip'));`,
});

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'the view takes the newest event only',
    breaks: ["the gateway's view equals the request's state in the end", 'every 201 ends completed or cancelled'],
    patches: [
      newestOnly(
        `${gateway}/view/request-events.consumer.ts`,
        'this.view.apply(requestEvents.decode(record) satisfies RequestEvent)',
      ),
      {
        file: `${gateway}/requests/requests.store.ts`,
        find: "status: 'in_progress', v: of.v - 1 }",
        replace: "status: 'in_progress', v: { $lt: of.v } }",
      },
      {
        file: `${gateway}/requests/requests.store.ts`,
        find: 'const isNext = { _id: requestKey(of.ws, of.srid), ws: of.ws, v: of.v - 1 };',
        replace: 'const isNext = { _id: requestKey(of.ws, of.srid), ws: of.ws, v: { $lt: of.v } };',
      },
    ],
  },
  {
    name: 'the destinations take the newest event only',
    breaks: ['every status change reaches every URL, in order'],
    patches: [
      newestOnly(`${destinations}/request-events.consumer.ts`, 'this.projection.apply(requestEvents.decode(record))'),
      {
        file: `${destinations}/destinations.store.ts`,
        find: 'const next = { _id, ws, v: v - 1 };',
        replace: 'const next = { _id, ws, v: { $lt: v } };',
      },
    ],
  },
  {
    name: 'a start without its status filter',
    breaks: ['a 202 to DELETE is never followed by in_progress', 'no status shown goes back'],
    patches: [
      {
        file: `${gateway}/requests/requests.store.ts`,
        find: "{ _id: due._id, ws, status: 'pending', startAt: { $lte: now } }",
        replace: '{ _id: due._id, ws }',
      },
    ],
  },
  {
    name: 'an event sets the status',
    breaks: ['no status shown goes back', "the gateway's view equals the request's state in the end"],
    patches: [
      {
        file: `${gateway}/view/request-view.ts`,
        find: '...{ ws, srid, v, commandSeq },',
        replace:
          "...{ ws, srid, v, commandSeq, status: { RequestReceived: 'pending', RequestStarted: 'in_progress', RequestCancelled: 'cancelled', RequestCompleted: 'completed' }[event.type] },",
      },
      {
        file: `${gateway}/requests/requests.store.ts`,
        find: 'const seen = { v: of.v, ',
        replace: 'const seen = { v: of.v, ...(of.status && { status: of.status }), ',
      },
    ],
  },
  {
    name: 'a push overwrites dueAt',
    breaks: ['every status change reaches every URL, in order'],
    patches: [
      {
        file: `${destinations}/destinations.store.ts`,
        find: '{ ...push, $set: { v, ...set } }',
        replace: '{ ...push, $set: { v, dueAt, ...set } }',
      },
    ],
  },
  {
    name: 'a finish on a stale read',
    breaks: ['every status change reaches every URL, in order'],
    patches: [
      {
        file: `${destinations}/turns.store.ts`,
        find: '({ ...held(destination), [following(destination)]: { $exists: false } })',
        replace: '({ ...held(destination) })',
      },
    ],
  },
  {
    name: 'a command gap is parked',
    breaks: ['every 201 ends completed or cancelled', "the gateway's view equals the request's state in the end"],
    patches: [
      {
        file: 'apps/request/src/commands/commands.consumer.ts',
        find: "return outcome === 'done' ? 'done' : 'skip';",
        replace: "return outcome === 'done' ? 'done' : outcome === 'gap' ? { park: 'gap' } : 'skip';",
      },
    ],
  },
  {
    name: "the outbox is cleared on the broker's acknowledgement",
    breaks: ['every 201 ends completed or cancelled', "the gateway's view equals the request's state in the end"],
    patches: [
      {
        file: `${gateway}/requests/requests.store.ts`,
        find: '  /** The request of this workspace, whatever its status. */',
        replace: `  clear({ _id, ws, seq }) {
    return this.requests.updateOne({ _id, ws, seq }, { $set: { outbox: [] }, $unset: { outboxAt: 1, tries: 1 } });
  }

  /** The request of this workspace, whatever its status. */`,
      },
      {
        file: `${gateway}/requests/admissions.ts`,
        find: 'await this.parts.outbox.send(request, this.parts.times.publishWaitMs).catch(() => undefined);',
        replace:
          'if (await this.parts.outbox.send(request, this.parts.times.publishWaitMs).catch(() => undefined)) await this.parts.store.clear(request);',
      },
      {
        file: `${gateway}/start/start.worker.ts`,
        find: 'if (started) await this.outbox.send(started, this.parts.publishWaitMs);',
        replace:
          'if (started && (await this.outbox.send(started, this.parts.publishWaitMs))) await this.store.clear(started);',
      },
    ],
  },
  {
    name: 'one report is enough',
    breaks: ['completion only after all reports'],
    patches: [
      {
        file: 'apps/request/src/domain/decide.ts',
        find: 'const isLast = state.participants.every(',
        replace: 'const isLast = state.participants.some(',
      },
    ],
  },
  {
    name: 'no slot index',
    breaks: ['at most 150 in a group'],
    needs: 'crowd',
    patches: [
      {
        file: `${gateway}/requests/request-model.store.ts`,
        find: 'requestSchema.index({ ws: 1, groupId: 1, slot: 1 }, { unique: true, ',
        replace: 'requestSchema.index({ ws: 1, groupId: 1, slot: 1 }, { ',
      },
    ],
  },
  {
    name: 'a delivery without a look at its lease',
    breaks: ['no delivery begins after its lease has ended'],
    needs: 'stalls',
    patches: [
      {
        file: 'apps/callback-dispatcher/src/dispatch/delivery-run.ts',
        find: 'return leaseUntil.getTime() - this.parts.clock.now().getTime() >= waitMs + this.parts.tryMs;',
        replace: 'return true;',
      },
    ],
  },
];
