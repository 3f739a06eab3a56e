import {
  countDifferences,
  rebuildProjection,
  verifyProjection,
  type Comparison,
  type Projection,
  type RebuildOptions,
} from '@opendsr-service/replay';
import { command, EXIT, type Terminal } from '../command';
import { oneOf, optional } from '../options';
import { jsonOption, show } from '../output';
import { comparisonLines, leftOf } from './comparison-lines';
import { withFoldingStores, type FoldingStores } from './folding.wiring';
import { progressOf } from './progress';

const WITH_PROJECTIONS = ['gateway', 'request', 'callback-dispatcher'] as const;
const options = { service: optional('S', oneOf(WITH_PROJECTIONS)), scratch: optional('DIR', String), ...jsonOption };

interface Given {
  readonly service: string | undefined;
  readonly scratch: string | undefined;
  readonly json: true | undefined;
}

/** `dsr projections verify`: works beside running services. */
export const projectionsVerify = command({
  words: 'projections verify',
  meaning:
    'folds the event log in a temporary folder and lists the documents that differ from it; changes ' + 'nothing',
  options,
  run: (given, terminal) =>
    withFoldingStores(terminal, { isExclusive: false }, (foldingStores) =>
      report({ terminal, given, foldingStores }, verifyProjection, (found) => countDifferences(found) === 0),
    ),
});

/** `dsr projections rebuild`: works on stopped services. */
export const projectionsRebuild = command({
  words: 'projections rebuild',
  meaning: 'writes the documents that differ from the event log; all services must be stopped',
  options,
  run: (given, terminal) =>
    withFoldingStores(terminal, { isExclusive: true }, (foldingStores) =>
      report({ terminal, given, foldingStores }, rebuildProjection, (found) => leftOf(found) === 0),
    ),
});

interface Running {
  readonly terminal: Terminal;
  readonly given: Given;
  readonly foldingStores: FoldingStores;
}

type Action = (projection: Projection, rebuilding: RebuildOptions) => Promise<Comparison>;

async function report(
  { terminal, given, foldingStores }: Running,
  act: Action,
  isWell: (found: Comparison) => boolean,
): Promise<number> {
  const { stores, services, tools, stop } = foldingStores;
  const found: Comparison[] = [];
  for (const { projections, database } of services.filter(
    ({ service }) => given.service === undefined || service === given.service,
  )) {
    const connection = await stores.storage.database(database.name);
    for (const projection of projections)
      found.push(
        await act(projection, {
          connection,
          log: stores.events,
          tools,
          scratchDir: given.scratch,
          progress: progressOf(terminal, given),
          stop,
        }),
      );
  }
  show(terminal, given, { projections: found }, () => found.flatMap(comparisonLines));
  return found.every(isWell) ? EXIT.ok : EXIT.failed;
}
