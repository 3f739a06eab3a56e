import { command, EXIT } from '../command';
import { CommandError } from '../command-error';
import { withStores } from '../db/stores.wiring';
import { jsonOption, show } from '../output';
import { srid, workspace } from '../participants/participant-options';

const gatewayOperation = () => import('@opendsr-service/gateway/operation');
type Pages = ReturnType<Awaited<ReturnType<typeof gatewayOperation>>['recordsOf']>;
type Page = Pages extends AsyncGenerator<infer One> ? One : never;

/** `dsr requests records` (docs/operators-api.md). */
export const requestsRecords = command({
  words: 'requests records',
  meaning:
    'searches the event log for the records of one request, from its receipt to the end: time, topic, partition/offset, ' +
    'type, fields without personal data, size. The log has no index of requests, so this reads all records beside them',
  options: { workspace, id: srid, ...jsonOption },
  run: (given, terminal) =>
    withStores(terminal, async ({ storage, events }) => {
      const { database, recordsOf } = await gatewayOperation();
      const gateway = await storage.database(database.name);
      const pages: Page[] = [];
      for await (const page of recordsOf(gateway, events, { ws: given.workspace, srid: given.id })) pages.push(page);
      if (pages.length === 0) throw new CommandError(`there is no request ${given.id} in ${given.workspace}`);
      const found = {
        records: pages.flatMap(({ records }) => records),
        topics: pages.flatMap(({ topics }) => topics),
      };
      show(terminal, given, found, ({ records, topics }) => [...records.map(recordLine), ...topics.flatMap(noteLines)]);
      return EXIT.ok;
    }),
});

const recordLine = ({ time, topic, partition, offset, type, fields, bytes }: Page['records'][number]): string =>
  [
    ...[time ?? '-', topic, `${partition}/${offset}`, type ?? '-'],
    ...(fields ? Object.entries(fields).map(([name, value]) => `${name}=${String(value)}`) : ['not as its topic says']),
    `${bytes} bytes`,
  ].join('  ');

const noteLines = ({ topic, state, is_cut: isCut, left_from_time: leftFrom }: Page['topics'][number]): string[] => [
  ...(state === 'denied' ? [`${topic}: Kafka does not let this user read it`] : []),
  ...(isCut ? [`${topic}: what is older than ${leftFrom ?? 'now'} was removed`] : []),
];
