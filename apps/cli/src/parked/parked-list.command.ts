import type { ParkedHead } from '@opendsr-service/messaging';
import { command, EXIT } from '../command';
import { jsonOption, show } from '../output';
import { factsOf, type ParkedFacts } from './parked-facts';
import { filters, ofService } from './parked-options';
import { filterOf, withLots, type Lot } from './parked.module';

/** Where counting what waits behind a record ends. */
const COUNTED = 1_000;

type Listed = ParkedFacts & { readonly behind?: number };

/** `dsr parked list`: what could not be handled, and what waits for it (docs/parked.md). */
export const parkedList = command({
  words: 'parked list',
  meaning: `names the records that could not be handled: id, key, type, reason, since when, whether they hold back later ones of their key, and how many wait behind them (counted to ${COUNTED}). --json prints one document for each`,
  options: { ...ofService, ...filters, ...jsonOption },
  run: (given, terminal) =>
    withLots(terminal, given.service, async (lots) => {
      let listed = 0;
      for (const lot of lots) {
        for await (const page of lot.desk.pages(filterOf(lot, given))) {
          for (const head of page) show(terminal, given, await listedOf(head, lot), (one) => [lineOf(one)]);
          listed += page.length;
        }
      }
      if (listed === 0 && !given.json) terminal.print('nothing is parked');
      return EXIT.ok;
    }),
});

async function listedOf(head: ParkedHead, { service, desk }: Lot): Promise<Listed> {
  const facts = factsOf(head, service);
  return facts.kind === 'holding' ? { ...facts, behind: await desk.behind(head, COUNTED) } : facts;
}

const lineOf = ({ id, key, type = '-', reason, since, kind, marked, behind }: Listed): string =>
  [id, key, type, reason, since, behind === undefined ? kind : `${kind} ${behind}`, ...(marked ? ['marked'] : [])].join('  ');
