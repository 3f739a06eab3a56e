import { isStatementFault, readAttestation, type Attestation } from '@opendsr-service/contracts';
import { readEnvelope } from '@opendsr-service/signing';
import type { Attestation as StoredAttestation } from '../final-state';
import type { Outcome } from '../world';
import { digestsOf } from './digests';
import type { Invariant } from './violation';

/** What an attestation says. Throws for one that does not read. */
export function statedBy({ envelope }: StoredAttestation): Attestation {
  const read = readAttestation(readEnvelope(JSON.parse(envelope))?.payload ?? Buffer.alloc(0));
  if (isStatementFault(read)) throw new Error(`an attestation does not read: ${read.kind} at ${read.at}`);
  return read.attestation;
}

export const livingKeysOpen: Invariant = {
  name: 'no living key fails to open after a rotation',
  check: ({ unreadableKeys }) => unreadableKeys.map((kid) => ({ srid: '', what: `the data key ${kid} does not open` })),
};

export const everyEndOfKeysIsAttested: Invariant = {
  name: 'a request whose destroyed keys are gone for good has exactly one second attestation in the log',
  check: (outcome) => {
    const { final, generationsDestroyedAt } = outcome;
    const digests = digestsOf(final, 'attestation');
    return final.attestations
      .filter(({ statement }) => statement === 1)
      .flatMap((first) => {
        const { srid } = first;
        const { destroyed, erasure } = statedBy(first);
        const isGone =
          (destroyed?.keys ?? 0) > 0 &&
          erasure?.generation !== undefined &&
          generationsDestroyedAt.has(erasure.generation);
        const seconds = final.attestations.filter((one) => one.srid === srid && one.statement === 2);
        const logged = seconds.map(({ digest }) => digests.filter((one) => one === digest).length);
        const isRight = isGone ? logged.length === 1 && logged[0] === 1 : logged.length === 0;
        return isRight ? [] : [{ srid, what: `its second attestations are logged [${logged.join()}] times` }];
      });
  },
};

export const noKeysEndTooEarly: Invariant = {
  name: 'no second attestation is earlier than the end of its generation',
  check: (outcome) =>
    outcome.final.attestations
      .filter(({ statement }) => statement === 2)
      .flatMap((second) => (isEarly(second, outcome) ? [{ srid: second.srid, what: 'its generation existed' }] : [])),
};

function isEarly(second: StoredAttestation, { generationsDestroyedAt }: Outcome): boolean {
  const { generation = 0, generationDestroyedAt = '' } = statedBy(second).erasure ?? {};
  const endedAt = generationsDestroyedAt.get(generation);
  return endedAt === undefined || new Date(generationDestroyedAt) < endedAt;
}
