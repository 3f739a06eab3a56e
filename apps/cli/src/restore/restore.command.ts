import { abortableLog } from '@opendsr-service/replay';
import { systemClock } from '@opendsr-service/service';
import { loadMasterKey, Vault } from '@opendsr-service/vault';
import { command, EXIT } from '../command';
import { optional, someOf } from '../options';
import { jsonOption, show } from '../output';
import { leftOf } from '../projections/comparison-lines';
import { withFoldingStores } from '../projections/folding.module';
import { progressOf } from '../projections/progress';
import { restored, type Restored } from './restored';

const KEYS = 'keys';
const DATABASES = [KEYS, 'gateway', 'request', 'callback_dispatcher', 'results', 'ingestion'] as const;

/** `dsr restore`: after older copies of databases were put back, and before the services start (docs/backup.md). */
export const restoreCommand = command({
  words: 'restore',
  meaning:
    'brings databases forward that were restored from older copies: destroys again what was destroyed ' +
    'since, writes what the log says, has parked records handled again, and lets request, results and ' +
    'ingestion read the log anew; all services must be stopped',
  options: { database: optional('D,...', someOf(DATABASES)), scratch: optional('DIR', String), ...jsonOption },
  run: (given, terminal) =>
    withFoldingStores(terminal, { isExclusive: true }, async ({ stores, services, tools, masterKeyFile, stop }) => {
      const wanted: readonly string[] = given.database ?? DATABASES;
      const { storage, events } = stores;
      const keys = await storage.database(KEYS);
      const clock = systemClock;
      const vault = new Vault(keys, await loadMasterKey(masterKeyFile), () => clock.now().getTime(), {
        tombstones: events.publisher,
      });
      // Whoever looks for a key later must not find one that was destroyed.
      const tombstones = await vault.foldTombstones(abortableLog(events, stop));
      const folding = { tools, scratchDir: given.scratch, progress: progressOf(terminal, given), stop };
      const done: Restored[] = [];
      for (const operation of services.filter(({ database }) => wanted.includes(database.name)))
        done.push(await restored(operation, { storage, events, vault, clock, folding }));
      show(terminal, given, { keys: { tombstones }, databases: done }, () => [
        `${KEYS}: ${tombstones} destroyed keys taken in that this copy did not know of`,
        ...done.flatMap(linesOf),
      ]);
      return done.every(isWell) ? EXIT.ok : EXIT.failed;
    }),
});

const isWell = ({ projections, lostKeys }: Restored): boolean =>
  lostKeys === 0 && projections.every((found) => leftOf(found) === 0);

function linesOf({ database, projections, parkedMarked, rewound, lostKeys }: Restored): string[] {
  return [
    ...projections.map((found) => {
      const { projection, documents, older, differing } = found;
      const changed = differing['changed meanwhile'];
      const left = [
        ...counted(leftOf(found) - changed, 'left that say more than the log'),
        ...counted(older, 'left that begin before the log does'),
        ...counted(changed, 'left that a service changed meanwhile: stop all services, and run this again'),
      ];
      return [
        `${database}: ${projection}: ${documents} documents, ${differing.missing} added, ${differing.differs} changed`,
        ...left,
      ].join(', ');
    }),
    ...counted(parkedMarked, 'parked records of the copy are handled again').map((line) => `${database}: ${line}`),
    ...rewound.map((group) => `${database}: ${group} reads the log anew`),
    ...(projections.length + parkedMarked + rewound.length === 0 ? [`${database}: nothing to do`] : []),
    ...(lostKeys > 0
      ? [
          `${database}: ${lostKeys} documents name a key that is neither there nor destroyed: what it sealed is lost, for the copy of keys is older`,
        ]
      : []),
  ];
}

const counted = (count: number, what: string): string[] => (count > 0 ? [`${count} ${what}`] : []);
