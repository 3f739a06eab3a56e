import { relative } from 'node:path';
import type { Skip } from './tally';

const fullForm = 'that only the full form runs';
const history = 'that need the whole history of the repository (DSR_REQUIRE_HISTORY)';
const transit = 'that need a transit engine (DSR_TEST_TRANSIT_URL)';

/** The tests of a file that may be skipped everywhere; those that match `titles`, where its others may not. */
interface Expected {
  readonly file: string;
  readonly titles?: RegExp;
  readonly reason: string;
}

/** Everything else is skipped only where a machine lacks something. */
export const EXPECTED: readonly Expected[] = [
  { file: 'libs/vault/src/transit.int.spec.ts', reason: transit },
  {
    file: 'libs/contracts/src/messages/compatibility.spec.ts',
    titles: / in the history of this checkout$/,
    reason: history,
  },
  ...(
    [
      ['apps/cli/src/transparency/tampering.int.spec.ts'],
      ['apps/callback-dispatcher/src/outbox/outbox.int.spec.ts'],
      ['apps/gateway/src/attestations/attestations.int.spec.ts'],
      ['apps/gateway/src/evidence/litewitness.int.spec.ts'],
      ['apps/gateway/src/evidence/transparency-log.int.spec.ts'],
      ['apps/gateway/src/evidence/witnessing.int.spec.ts'],
      ['apps/gateway/src/keys/ended-requests.int.spec.ts'],
      ['apps/ingestion/src/stores.int.spec.ts'],
      ['apps/request/src/projection/aggregates.projection.int.spec.ts'],
      ['apps/results/src/stores.int.spec.ts', /^on MongoDB archives /],
      ['libs/client/src/package.spec.ts', / in a strict project, /],
      ['libs/messaging/src/kafka/slow-handlers.int.spec.ts', / with a backlog /],
      ['libs/service/src/logger/buffered-stdout.spec.ts'],
      ['libs/service/src/process/main.spec.ts', /^(?!.* where signals have no default action$)/],
      ['libs/service/src/tracing/tracing.spec.ts'],
      ['libs/transparency/src/go.int.spec.ts'],
      ['libs/vault/src/aws-kms.int.spec.ts'],
      ['libs/vault/src/mongodb.int.spec.ts'],
      ['libs/workspaces/src/mongodb.int.spec.ts', /^on servers /],
      ['tools/bodies/bodies.e2e.spec.ts'],
      ['tools/conformance/command.spec.ts', / if its options do not fit, /],
      ['tools/console/console.console.spec.ts'],
      ['tools/demo/demo.e2e.spec.ts'],
      ['tools/e2e/destroyed.e2e.spec.ts'],
      ['tools/e2e/dispatcher-deaths.e2e.spec.ts'],
      ['tools/e2e/docs.e2e.spec.ts', /docs\/(participants|conformance)\.md/],
      ['tools/e2e/guides.e2e.spec.ts'],
      ['tools/e2e/process.e2e.spec.ts', / (that is taken|until START_TIMEOUT_MS), /],
      ['tools/e2e/restore.e2e.spec.ts'],
      ['tools/e2e/rolling-upgrade.e2e.spec.ts'],
      ['tools/e2e/servers-away.e2e.spec.ts'],
      ['tools/evidence/attestations.int.spec.ts', / and (Go|a DSSE library) /],
      ['tools/evidence/evidence-page.int.spec.ts', / with Go /],
      ['tools/faults/broker-deaths.faults.spec.ts'],
      ['tools/faults/leaderless-partition.faults.spec.ts'],
      ['tools/faults/slow-handlers.faults.spec.ts'],
      ['tools/images/image.spec.ts', /^the bundle of the image /],
      ['tools/release/release.spec.ts'],
      ['tools/setup.spec.ts'],
      ['tools/test/jest.spec.ts', /^counts a suite whose process ends /],
    ] as const
  ).map(([file, titles]) => ({ file, ...(titles && { titles }), reason: fullForm })),
];

/** The skip with its file relative to `root`, and with the reason why it need not run, if there is one. */
export function explain({ file, title }: Skip, root: string, isFullForm: boolean): Skip {
  const name = relative(root, file);
  const expected = EXPECTED.find(
    (one) => one.file === name && (one.titles?.test(title) ?? true) && !(isFullForm && one.reason === fullForm),
  );
  return { file: name, title, reason: expected?.reason };
}
