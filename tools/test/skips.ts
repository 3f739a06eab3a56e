import { relative } from 'node:path';
import type { Skip } from './tally';

const fullForm = 'that only the full form runs';
const history = 'that need the whole history of the repository (DSR_REQUIRE_HISTORY)';

/** The tests of a file that may be skipped everywhere; those that match `titles`, where its others may not. */
interface Expected {
  readonly file: string;
  readonly titles?: RegExp;
  readonly reason: string;
}

/** Everything else is skipped only where a machine lacks something. */
export const EXPECTED: readonly Expected[] = [
  {
    file: 'libs/contracts/src/messages/compatibility.spec.ts',
    titles: / in the history of this checkout$/,
    reason: history,
  },
  ...(
    [
      [
        'apps/callback-dispatcher/src/dispatch/fairness.spec.ts',
        /^(callbacks to a slow|postponed|a quick-enough|a hundred) /,
      ],
      ['apps/cli/src/doctor/doctor.spec.ts', / (says of a receiver|says of each witness|names the log key)/],
      ['apps/cli/src/transparency/tampering.int.spec.ts'],
      ['apps/callback-dispatcher/src/stores.int.spec.ts', /^on servers /],
      ['apps/cli/src/transparency/tampering.spec.ts', /^(?!.* (below its checkpoint|a fork|one that was changed)$)/],
      ['apps/cli/src/transparency/transparency.spec.ts', / (waits for cosignatures|compares waivers) /],
      ['apps/gateway/src/attestations/attestations.spec.ts', /^as on servers /],
      ['apps/gateway/src/evidence/litewitness.int.spec.ts'],
      ['apps/gateway/src/evidence/transparency-log.int.spec.ts'],
      ['apps/gateway/src/evidence/witnessing.int.spec.ts'],
      ['apps/gateway/src/keys/ended-requests.int.spec.ts'],
      ['apps/gateway/src/projection/admissions.projection.spec.ts', /^notes the ends /],
      ['apps/ingestion/src/stores.int.spec.ts'],
      ['apps/request/src/projection/aggregates.projection.int.spec.ts'],
      ['libs/messaging/src/kafka/slow-handlers.int.spec.ts', / with a backlog /],
      [
        'apps/ingestion/src/stores.spec.ts',
        /^on the embedded store (erasures an|changes of identities|locks that lapsed|data) /,
      ],
      ['apps/results/src/stores.int.spec.ts', /^on MongoDB archives /],
      ['apps/results/src/stores.spec.ts', /^on the embedded store erasures /],
      ['libs/client/src/package.spec.ts', /( in a strict project, |^loads where )/],
      ['libs/service/src/logger/buffered-stdout.spec.ts'],
      [
        'libs/service/src/process/main.spec.ts',
        /^(?!.* (every bad setting|keeps no stop|in flight on SIGTERM|during the stop delay|where signals have no default action))/,
      ],
      [
        'libs/service/src/serving/listeners.spec.ts',
        / (is not delayed by silence, |cuts slow bodies |closes what is still )/,
      ],
      ['libs/service/src/tracing/tracing.spec.ts'],
      ['libs/transparency/src/go.int.spec.ts'],
      ['libs/vault/src/aws-kms.int.spec.ts'],
      ['libs/vault/src/embedded.spec.ts', /^as on servers /],
      ['libs/vault/src/mongodb.int.spec.ts'],
      ['libs/vault/src/transit.int.spec.ts'],
      ['libs/workspaces/src/embedded.spec.ts', /^as on servers /],
      ['libs/workspaces/src/mongodb.int.spec.ts', /^on servers /],
      ['tools/bodies/bodies.e2e.spec.ts'],
      ['tools/console/console.console.spec.ts'],
      ['tools/api/documents.spec.ts', / fits the schema of AsyncAPI$/],
      ['tools/chart/docs.spec.ts', / (shows values of the console|shows values of one pod|ends no generation) /],
      ['tools/chart/golden.spec.ts', / renders the same again$/],
      ['tools/chart/operators.spec.ts', / may be a forwarded port /],
      ['tools/chart/releases.spec.ts', /^(?!a release (is named|shares|runs) |an umbrella chart brings )/],
      ['tools/chart/sizes.spec.ts', /^the values of a trial /],
      [
        'tools/chart/standalone.spec.ts',
        /^(?!.* (is refused|by a key service|storage class|nothing beside them|keep every rule))/,
      ],
      [
        'tools/chart/values.spec.ts',
        / (takes away the Ingress|runs as the account|takes an empty list|leads a further host)/,
      ],
      ['tools/conformance/command.spec.ts', /^(ends with 2|proves the versions) /],
      [
        'tools/conformance/conformance.spec.ts',
        /^(passes the results|cannot decide|tries a rule again|cancels what it made,|finds: one certificate) /,
      ],
      ['tools/demo/demo.e2e.spec.ts'],
      ['tools/e2e/destroyed.e2e.spec.ts'],
      ['tools/e2e/dispatcher-deaths.e2e.spec.ts'],
      ['tools/e2e/docs.e2e.spec.ts', /docs\/(participants|conformance|operators-api)\.md/],
      ['tools/e2e/guides.e2e.spec.ts'],
      ['tools/e2e/process.e2e.spec.ts', / (that is taken|until START_TIMEOUT_MS), /],
      ['tools/e2e/restore.e2e.spec.ts'],
      ['tools/e2e/rolling-upgrade.e2e.spec.ts'],
      ['tools/e2e/servers-away.e2e.spec.ts'],
      ['tools/evidence/attestations.int.spec.ts', / and (Go|a DSSE library) /],
      ['tools/evidence/evidence-page.int.spec.ts', / with Go /],
      ['tools/faults/broker-deaths.faults.spec.ts'],
      ['tools/faults/leaderless-partition.faults.spec.ts'],
      ['tools/faults/reading.faults.spec.ts'],
      ['tools/faults/slow-handlers.faults.spec.ts'],
      [
        'tools/guard.spec.ts',
        /^(what does not stop|the child of a process that ignores|a tool that npm runs is asked) /,
      ],
      ['tools/images/image.spec.ts', /^the bundle of the image /],
      ['tools/release/release.spec.ts'],
      ['tools/setup.spec.ts'],
      ['tools/test/jest.spec.ts', /^(counts a suite whose process ends|begins with the longest, before) /],
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
