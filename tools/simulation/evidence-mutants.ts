import type { Mutant } from './mutant';
import { all, replaceCalls, returnInstead, setProperty } from './transform';

const SECOND_ATTESTATIONS = 'apps/gateway/src/attestations/second-attestations.worker.ts';
const SECOND = 'a request whose destroyed keys are gone for good has exactly one second attestation in the log';
const SEQUENCER = 'apps/gateway/src/evidence/sequencer.ts';

/** Faults of the public log, of attestations, and of what operators decide that stands in both. */
export const EVIDENCE_MUTANTS: readonly Mutant[] = [
  {
    name: 'leaves that are not published',
    breaks: ['every receipt is in the public log once'],
    patches: [
      {
        file: 'apps/request/src/aggregates/outbox-relay.worker.ts',
        symbol: 'OutboxRelay.publish',
        edit: replaceCalls('flatMap', () => '[]'),
      },
    ],
  },
  {
    name: 'a legal date that is extended each time that it is asked for',
    breaks: ['an extension counts once, and is in the public log once'],
    patches: [
      {
        file: 'apps/gateway/src/deadlines/extend-deadline.ts',
        symbol: 'extendDeadline',
        edit: replaceCalls(
          'extendable',
          ({ arguments: [found] }) =>
            `((found) => extendable(found && { ...found, extendedUntil: undefined }, at))(${found?.getText()})`,
        ),
      },
      {
        file: 'apps/gateway/src/deadlines/deadlines.store.ts',
        symbol: 'DeadlinesStore.extend',
        edit: setProperty('extendedUntil', (old) => (old.includes('$exists') ? undefined : old)),
      },
    ],
  },
  {
    name: 'an extension without a leaf',
    breaks: ['an extension counts once, and is in the public log once'],
    patches: [
      {
        file: 'apps/request/src/domain/leaves-of.ts',
        symbol: 'leavesOf',
        edit: replaceCalls('kindOf', (call) => `(event.type === 'DeadlineExtended' ? undefined : ${call.getText()})`),
      },
    ],
  },
  {
    name: 'a waiver that counts each time that it is asked for',
    breaks: ['a waiver counts once, and is in the public log once'],
    patches: [
      {
        file: 'apps/request/src/domain/decide.ts',
        symbol: 'isRepeat',
        edit: returnInstead((old) => `report.waivedBy === undefined && ${old}`),
      },
    ],
  },
  {
    name: 'a waiver without a leaf',
    breaks: ['a waiver counts once, and is in the public log once'],
    patches: [
      {
        file: 'apps/request/src/domain/leaves-of.ts',
        symbol: 'leavesOf',
        edit: replaceCalls(
          'kindOf',
          (call) => `(event.type === 'ParticipantReported' ? undefined : ${call.getText()})`,
        ),
      },
    ],
  },
  {
    name: 'a waiver that ends no wait',
    breaks: ['every 201 ends completed or cancelled'],
    patches: [
      {
        file: 'apps/request/src/reports/reports.consumer.ts',
        symbol: 'ReportsConsumer.handleReport',
        edit: replaceCalls('includes', () => 'true'),
      },
    ],
  },
  {
    name: 'an attestation that does not say who waived',
    breaks: ['an attestation names who waived a share'],
    patches: [
      {
        file: 'apps/gateway/src/attestations/attestation-of.ts',
        symbol: 'participantsOf',
        edit: setProperty('waivedBy', () => undefined),
      },
    ],
  },
  {
    name: 'attestations whose leaves are not published',
    breaks: ['every ended request has exactly one attestation in the log'],
    patches: [
      {
        file: 'apps/gateway/src/attestations/attester.ts',
        symbol: 'Attester.publish',
        edit: replaceCalls('publish', () => 'Promise.resolve()'),
      },
    ],
  },
  {
    name: 'an attestation that a repeat signs again',
    breaks: ['every ended request has exactly one attestation in the log'],
    patches: [
      {
        file: 'apps/gateway/src/evidence/attestation.document.ts',
        symbol: 'attestationId',
        edit: replaceCalls('requestKey', (call) => `(\`\${${call.getText()}}|\${Math.random()}\`)`),
      },
    ],
  },
  {
    name: 'a rotation that leaves keys wrapped as they are',
    breaks: ['no living key fails to open after a rotation'],
    needs: 'rotation',
    patches: [
      {
        file: 'libs/vault/src/rotation.worker.ts',
        symbol: 'KeyRotation.pass',
        edit: replaceCalls('bulkWrite', () => 'undefined'),
      },
    ],
  },
  {
    name: 'second attestations whose leaves are not published',
    breaks: [SECOND],
    needs: 'rotation',
    patches: [
      {
        file: SECOND_ATTESTATIONS,
        symbol: 'SecondAttestationsWorker.stated',
        edit: replaceCalls('publish', () => 'Promise.resolve()'),
      },
    ],
  },
  {
    name: 'a second attestation that a repeat signs again',
    breaks: [SECOND],
    needs: 'rotation',
    patches: [
      {
        file: 'apps/gateway/src/evidence/attestation.document.ts',
        symbol: 'attestationId',
        edit: replaceCalls(
          'requestKey',
          (call) => `(\`\${${call.getText()}}\${statement === 1 ? '' : Math.random()}\`)`,
        ),
      },
    ],
  },
  {
    name: 'a second attestation as soon as there is a first',
    breaks: ['no second attestation is earlier than the end of its generation'],
    needs: 'rotation',
    patches: [
      {
        file: SECOND_ATTESTATIONS,
        symbol: 'SecondAttestationsWorker.runOnce',
        edit: replaceCalls('isGenerationGone', () => 'Promise.resolve(true)'),
      },
    ],
  },
  {
    name: 'a checkpoint with a root of its own, which the next process does not look for',
    breaks: ['no two checkpoints of one size differ'],
    patches: [
      {
        file: SEQUENCER,
        symbol: 'Sequencer.signed',
        edit: replaceCalls('root', () => 'Promise.resolve(leafHash(Buffer.from(String(Math.random()))))'),
      },
      {
        file: SEQUENCER,
        symbol: 'Sequencer.takeOver',
        edit: all(
          replaceCalls('readLogged', () => 'Promise.resolve()'),
          replaceCalls('prove', () => 'undefined'),
        ),
      },
    ],
  },
];
