import { TOPICS } from '@opendsr-service/contracts';
import { abortableLog } from '@opendsr-service/replay';
import { systemClock } from '@opendsr-service/service';
import { generationFacts, rewindTombstones, Vault } from '@opendsr-service/vault';
import { command, EXIT } from '../command';
import { optional, someOf } from '../options';
import { jsonOption, show } from '../output';
import { leftOf } from '../projections/comparison-lines';
import { withFoldingStores } from '../projections/folding.wiring';
import { progressOf } from '../projections/progress';
import { newestRecordAt } from './newest-record';
import { restored, type Restored } from './restored';

const KEYS = 'keys';
const DATABASES = [KEYS, 'gateway', 'request', 'callback_dispatcher', 'results', 'ingestion'] as const;

/** `dsr restore`: runs after older copies of databases were restored and before the services start (docs/backup.md). */
export const restoreCommand = command({
  words: 'restore',
  meaning:
    'updates databases that were restored from older copies: destroys again what was destroyed since, ' +
    'writes what the event log says, redrives parked records, and lets request, results and ingestion ' +
    'read the event log again; all services must be stopped',
  options: { database: optional('D,...', someOf(DATABASES)), scratch: optional('DIR', String), ...jsonOption },
  run: (given, terminal) =>
    withFoldingStores(terminal, { isExclusive: true }, async (foldingStores) => {
      const { stores, services, tools, keys: found, isMasterKeyChecked, stop } = foldingStores;
      const wanted: readonly string[] = given.database ?? DATABASES;
      const { storage, events } = stores;
      const keys = await storage.database(KEYS);
      const clock = systemClock;
      const loggedUntil = await newestRecordAt(events);
      const facts = await generationFacts(keys, found);
      const { masterKey, generations } = found;
      const vault = new Vault(keys, masterKey, () => clock.now().getTime(), {
        tombstones: events.publisher,
        generations,
      });
      // First, so that the next steps find no destroyed key.
      await rewindTombstones(keys);
      const { destroyed: destroyedAgain, skipped } = await vault.foldTombstones(abortableLog(events, stop));
      const folding = { tools, scratchDir: given.scratch, progress: progressOf(terminal, given), stop };
      const done: Restored[] = [];
      for (const operation of services.filter(({ database }) => wanted.includes(database.name)))
        done.push(await restored(operation, { storage, events, vault, clock, folding }));
      show(
        terminal,
        given,
        {
          log: loggedUntil && { newestRecordAt: loggedUntil },
          keys: {
            isMasterKeyChecked,
            destroyedAgain,
            skipped,
            lostGeneration: facts?.isLost ? facts.current : undefined,
          },
          databases: done,
        },
        () => [
          ...(loggedUntil ? [logLine(loggedUntil)] : []),
          ...(isMasterKeyChecked
            ? []
            : [`${KEYS}: no service has opened this database, so the master key was not checked`]),
          `${KEYS}: ${destroyedAgain} destroyed again that this copy brought back`,
          ...counted(skipped, SKIPPED).map((line) => `${KEYS}: ${line}`),
          ...(facts?.isLost ? [`${KEYS}: ${lostLine(facts.current)}`] : []),
          ...done.flatMap(linesOf),
        ],
      );
      return skipped === 0 && done.every(isWell) && !facts?.isLost ? EXIT.ok : EXIT.failed;
    }),
});

const SKIPPED =
  'records among the tombstones skipped: malformed, or not signed by this master key. All else is done, and every ' +
  `run and service skips them again: check the key, and who may write ${TOPICS.keyTombstones.name}`;

const logLine = (newestRecordAt: Date): string =>
  `log: its newest record is of ${newestRecordAt.toISOString()}: if log.db is a copy, everything since is lost, ` +
  'erasures too: read docs/backup.md before the service starts';

const lostLine = (generation: number): string =>
  `its keys are wrapped by generation ${generation}, whose secret is not in its place, so none opens: restore a copy of since the last rotation, or put the secret back`;

const isWell = ({ projections, lostKeys }: Restored): boolean =>
  lostKeys === 0 && projections.every((found) => leftOf(found) === 0);

function linesOf({ database, projections, parkedMarked, rewound, lostKeys }: Restored): string[] {
  return [
    ...projections.map((found) => {
      const { projection, documents, older, differing } = found;
      const changed = differing['changed meanwhile'];
      const left = [
        ...counted(leftOf(found) - changed, 'left that hold more than the event log'),
        ...counted(older, 'left that are older than the event log'),
        ...counted(changed, 'left that a service changed meanwhile: stop all services, and run this again'),
      ];
      return [
        `${database}: ${projection}: ${documents} documents, ${differing.missing} added, ${differing.differs} changed`,
        ...left,
      ].join(', ');
    }),
    ...counted(parkedMarked, 'parked records of the copy are handled again').map((line) => `${database}: ${line}`),
    ...rewound.map((group) => `${database}: ${group} reads the event log again`),
    ...(projections.length + parkedMarked + rewound.length === 0 ? [`${database}: nothing to do`] : []),
    ...(lostKeys > 0
      ? [
          `${database}: ${lostKeys} documents name a lost key: the copy of the keys is older, and their data cannot be opened`,
        ]
      : []),
  ];
}

const counted = (count: number, what: string): string[] => (count > 0 ? [`${count} ${what}`] : []);
