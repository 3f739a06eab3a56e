import type { ParkedFilter, ParkedHead } from '@opendsr-service/messaging';
import { parkedFacts, MOST_BEHIND, type ParkedFacts, type ParkedRecords } from '@opendsr-service/operator-answers';
import { command, EXIT } from '../command';
import { jsonOption, showEach } from '../output';
import { filters, ofService } from './parked-options';
import { filterOf, withAllParked } from './parked.wiring';

type Listed = ParkedFacts & { readonly behind?: number };

/** `dsr parked list` (docs/parked.md). */
export const parkedList = command({
  words: 'parked list',
  meaning:
    'lists the parked records: id, key, type, reason, since when, whether they block later records of their key, ' +
    `and how many wait behind them (counted to ${MOST_BEHIND})`,
  options: { ...ofService, ...filters, ...jsonOption },
  run: (given, terminal) =>
    withAllParked(terminal, given.service, async (services) => {
      await showEach(terminal, given, {
        name: 'records',
        items: listedIn(services, filterOf(given)),
        lines: (one) => [lineOf(one)],
        none: 'nothing is parked',
      });
      return EXIT.ok;
    }),
});

/** Reads page by page. */
async function* listedIn(services: readonly ParkedRecords[], filter: ParkedFilter): AsyncGenerator<Listed> {
  for (const service of services)
    for await (const page of service.admin.listPages({ ...filter, groups: service.groups }))
      for (const head of page) yield await listedOf(head, service);
}

async function listedOf(head: ParkedHead, { service, admin }: ParkedRecords): Promise<Listed> {
  const facts = parkedFacts(head, service);
  return facts.kind === 'blocking' ? { ...facts, behind: await admin.countBehind(head, MOST_BEHIND) } : facts;
}

const lineOf = ({ id, key, type = '-', reason, since, kind, marked, behind }: Listed): string =>
  [id, key, type, reason, since, behind === undefined ? kind : `${kind} ${behind}`, ...(marked ? ['marked'] : [])].join(
    '  ',
  );
