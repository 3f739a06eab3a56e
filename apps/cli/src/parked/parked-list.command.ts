import type { ParkedFilter, ParkedHead } from '@opendsr-service/messaging';
import { command, EXIT } from '../command';
import { jsonOption, showEach } from '../output';
import { factsOf, type ParkedFacts } from './parked-facts';
import { filters, MOST_BEHIND, ofService } from './parked-options';
import { filterOf, withLots, type Lot } from './parked.module';

type Listed = ParkedFacts & { readonly behind?: number };

/** `dsr parked list`: what could not be handled, and what waits for it (docs/parked.md). */
export const parkedList = command({
  words: 'parked list',
  meaning: `names the records that could not be handled: id, key, type, reason, since when, whether they hold back later ones of their key, and how many wait behind them (counted to ${MOST_BEHIND})`,
  options: { ...ofService, ...filters, ...jsonOption },
  run: (given, terminal) =>
    withLots(terminal, given.service, async (lots) => {
      await showEach(terminal, given, {
        name: 'records',
        items: listedIn(lots, (lot) => filterOf(lot, given)),
        lines: (one) => [lineOf(one)],
        none: 'nothing is parked',
      });
      return EXIT.ok;
    }),
});

/** Page by page, however many there are. */
async function* listedIn(lots: readonly Lot[], filter: (lot: Lot) => ParkedFilter): AsyncGenerator<Listed> {
  for (const lot of lots)
    for await (const page of lot.admin.listPages(filter(lot))) for (const head of page) yield await listedOf(head, lot);
}

async function listedOf(head: ParkedHead, { service, admin }: Lot): Promise<Listed> {
  const facts = factsOf(head, service);
  return facts.kind === 'blocking' ? { ...facts, behind: await admin.countBehind(head, MOST_BEHIND) } : facts;
}

const lineOf = ({ id, key, type = '-', reason, since, kind, marked, behind }: Listed): string =>
  [id, key, type, reason, since, behind === undefined ? kind : `${kind} ${behind}`, ...(marked ? ['marked'] : [])].join(
    '  ',
  );
