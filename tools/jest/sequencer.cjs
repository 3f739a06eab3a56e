// The order of spec files. Jest begins with what took longest, but a fresh clone has no times of earlier runs: the longest are named here, so that
// none of them runs alone while the other workers are done.
const { relative } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

const longest = [
  // These take their time in the full form only.
  'tools/e2e/destroyed.e2e.spec.ts',
  'tools/e2e/rolling-upgrade.e2e.spec.ts',
  'tools/e2e/dispatcher-deaths.e2e.spec.ts',
  'tools/e2e/five-processes.e2e.spec.ts',
  'tools/e2e/standalone.e2e.spec.ts',
  'tools/e2e/restore.e2e.spec.ts',
  'apps/ingestion/src/stores.int.spec.ts',
  'libs/messaging/src/kafka/kafka-log.int.spec.ts',
  'apps/results/src/stores.int.spec.ts',
  'libs/workspaces/src/mongodb.int.spec.ts',
  'apps/gateway/src/evidence/transparency-log.int.spec.ts',
  'apps/gateway/src/keys/ended-requests.int.spec.ts',
  'libs/service/src/process/main.spec.ts',
  'tools/monitoring/rules.spec.ts',
];

class LongestFirst extends Sequencer {
  sort(tests) {
    const place = ({ path, context }) => {
      const found = longest.indexOf(relative(context.config.rootDir, path));
      return found < 0 ? longest.length : found;
    };
    return super.sort(tests).sort((one, other) => place(one) - place(other));
  }
}

module.exports = LongestFirst;
module.exports.longest = longest;
