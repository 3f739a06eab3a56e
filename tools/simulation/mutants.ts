import { addBeside, addMethod, all, replaceCalls, returnInstead, setProperty, type Edit } from './transform';
import { EVIDENCE_MUTANTS } from './evidence-mutants';
import type { Mutant } from './mutant';

const ADMISSIONS_STORE = 'apps/gateway/src/admission/admissions.store.ts';
const DESTINATIONS_STORE = 'apps/callback-dispatcher/src/destinations/destinations.store.ts';

/** A consumer handles the last record of each key in a batch, and none of those before it. */
const newestOnly: Edit = replaceCalls('eachInOrder', ({ arguments: [records, handle] }) => {
  const newest = `new Map(${records?.getText()}.map((record) => [record.key, record]))`;
  const apply = `newest.get(record.key) === record ? (${handle?.getText()})(record) : 'skip'`;
  return `((newest) => eachInOrder(${records?.getText()}, async (record) => (${apply})))(${newest})`;
});

/** A version filter that asks for the event before takes any older one. */
const anyOlderVersion = setProperty('v', (old) => old.replace(/^(.+) - 1$/, '{ $lt: $1 }'));

const STATUS_OF_EVENT = `{
  RequestReceived: 'pending',
  RequestStarted: 'in_progress',
  RequestCancelled: 'cancelled',
  RequestCompleted: 'completed',
}[last.type]`;

/** Removes sent commands from the outbox at once, for every answer of the request service. */
const clearAfterSend = (request: string, store: string): Edit =>
  replaceCalls('send', (send) => `${send.getText()}.then((isSent) => isSent && ${store}.clear(${request}))`);

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'the projection takes the newest event only',
    breaks: ["the gateway's view equals the request's state in the end", 'every 201 ends completed or cancelled'],
    patches: [
      {
        file: 'apps/gateway/src/request-events/request-events.consumer.ts',
        symbol: 'RequestEventsConsumer.handle',
        edit: newestOnly,
      },
      {
        file: 'apps/gateway/src/admission/event-run.ts',
        symbol: 'atPreviousVersion',
        edit: setProperty('v', () => '{ $lt: v }'),
      },
    ],
  },
  {
    name: 'the destinations take the newest event only',
    breaks: ['every status change reaches every URL, in order'],
    patches: [
      {
        file: 'apps/callback-dispatcher/src/destinations/destinations.consumer.ts',
        symbol: 'DestinationsConsumer.handleEvents',
        edit: newestOnly,
      },
      { file: DESTINATIONS_STORE, symbol: 'DestinationsStore.appendOne.next', edit: anyOlderVersion },
    ],
  },
  {
    name: 'a start without its filter',
    breaks: ['a 202 to DELETE is never followed by in_progress', 'no status shown goes back'],
    patches: [
      {
        file: ADMISSIONS_STORE,
        symbol: 'AdmissionsStore.start',
        edit: all(
          setProperty('status', (old) => (old === "'pending'" ? undefined : old)),
          // A cancel raises it, so it alone keeps a start off.
          setProperty('seq', (old) => (old === 'due.seq' ? undefined : old)),
          setProperty('startAt', (old) => (old.includes('$lte') ? undefined : old)),
        ),
      },
    ],
  },
  {
    name: 'an event sets the status',
    breaks: ['no status shown goes back', "the gateway's view equals the request's state in the end"],
    patches: [
      {
        file: 'apps/gateway/src/request-events/admission-projection.ts',
        symbol: 'AdmissionProjection.write',
        edit: addBeside('commandSeq', `status: ${STATUS_OF_EVENT}`),
      },
      ...['emptying', 'shortening'].map((symbol) => ({
        file: 'apps/gateway/src/admission/acknowledgements.store.ts',
        symbol,
        edit: replaceCalls(
          'versionFields',
          (call) => `{ ...${call.getText()}, ...(of.status && { status: of.status }) }`,
        ),
      })),
    ],
  },
  {
    name: 'an update counts as applied where another of its bulk write was',
    breaks: ["the gateway's view equals the request's state in the end", 'every 201 ends completed or cancelled'],
    patches: [
      {
        file: 'libs/storage/src/bulk-writer.ts',
        symbol: 'BulkWriter.run',
        edit: returnInstead((old) => old.replace("'unknown'", "'applied'")),
      },
    ],
  },
  {
    name: 'a push overwrites dueAt',
    breaks: ['every status change reaches every URL, in order'],
    patches: [{ file: DESTINATIONS_STORE, symbol: 'DestinationsStore.appendOne.busy', edit: addBeside('v', 'dueAt') }],
  },
  {
    name: 'a finish on a stale read',
    breaks: ['every status change reaches every URL, in order'],
    patches: [
      {
        file: 'apps/callback-dispatcher/src/destinations/destination-claims.store.ts',
        symbol: 'heldWithoutMore',
        edit: setProperty('[following(destination)]', () => undefined),
      },
    ],
  },
  {
    name: 'a command gap is parked',
    breaks: ['every 201 ends completed or cancelled', "the gateway's view equals the request's state in the end"],
    patches: [
      {
        file: 'apps/request/src/commands/commands.consumer.ts',
        symbol: 'CommandsConsumer.handle',
        edit: returnInstead((old) => `outcome === 'gap' ? { park: 'gap' } : ${old}`),
      },
    ],
  },
  {
    name: "the outbox is cleared on the broker's acknowledgement",
    breaks: ['every 201 ends completed or cancelled', "the gateway's view equals the request's state in the end"],
    patches: [
      {
        file: ADMISSIONS_STORE,
        symbol: 'AdmissionsStore',
        edit: addMethod(`clear({ _id, ws, seq }) {
    return this.requests.updateOne({ _id, ws, seq }, { $set: { outbox: [] }, $unset: { outboxAt: 1, tries: 1 } });
  }`),
      },
      {
        file: 'apps/gateway/src/admission/admissions.ts',
        symbol: 'Admissions.publishCommands',
        edit: clearAfterSend('request', 'this.parts.store'),
      },
      {
        file: 'apps/gateway/src/workers/start.worker.ts',
        symbol: 'StartWorker.runOnce',
        edit: clearAfterSend('started', 'this.store'),
      },
    ],
  },
  {
    name: 'one report is enough',
    breaks: ['completion only after all reports'],
    patches: [
      {
        file: 'apps/request/src/domain/decide.ts',
        symbol: 'decideReport',
        edit: replaceCalls('every', (call) => call.getText().replace('.every(', '.some(')),
      },
    ],
  },
  {
    name: 'no slot index',
    breaks: ['at most 150 in a group'],
    needs: 'crowd',
    patches: [
      {
        file: 'apps/gateway/src/admission/requests-collection.store.ts',
        edit: replaceCalls('uniqueHaving', (call) =>
          call.getText().includes('slot') ? call.getText().replace('uniqueHaving', 'having') : call.getText(),
        ),
      },
    ],
  },
  {
    name: 'a delivery without a check of its lease',
    breaks: ['no delivery begins after its lease has ended'],
    needs: 'stalls',
    patches: [
      {
        file: 'apps/callback-dispatcher/src/dispatch/delivery-run.ts',
        symbol: 'DeliveryRun.outlastsTry',
        edit: returnInstead(() => 'true'),
      },
    ],
  },
  ...EVIDENCE_MUTANTS,
];
