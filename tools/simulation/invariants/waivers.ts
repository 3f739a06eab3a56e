import { requestEvents, type ParticipantReported } from '@opendsr-service/contracts';
import type { Attestation } from '../final-state';
import type { History } from '../history';
import type { Outcome } from '../world';
import { digestsOf, distinctDigests } from './digests';
import { statedBy } from './generations';
import type { Invariant } from './violation';

type Waived = ParticipantReported & Required<Pick<ParticipantReported, 'waivedBy'>>;

interface WaivedShare {
  readonly event: Waived;
  readonly digests: readonly string[];
}

const shareOf = ({ srid, participant }: Pick<Waived, 'srid' | 'participant'>): string => `${srid} ${participant}`;

function waivedIn(record: History['events'][number]['record']): Waived | undefined {
  if (!requestEvents.isOfType(record, ['ParticipantReported'])) return undefined;
  const event = requestEvents.decode(record);
  return event.type === 'ParticipantReported' && event.waivedBy !== undefined ? (event as Waived) : undefined;
}

/** What was waived of each request, by share. */
function waivedShares({ history }: Outcome): readonly WaivedShare[] {
  const waivers = history.events.flatMap((happened) => {
    const event = waivedIn(happened.record);
    return event ? [{ event, happened }] : [];
  });
  return [...Map.groupBy(waivers, ({ event }) => shareOf(event)).values()].flatMap((same) => {
    const [first] = same;
    return first ? [{ event: first.event, digests: distinctDigests(same.map(({ happened }) => happened)) }] : [];
  });
}

/** However often, and by how many at once, it was asked for. */
export const everyWaiverCountsOnce: Invariant = {
  name: 'a waiver counts once, and is in the public log once',
  check: (outcome) => {
    const { history, final } = outcome;
    const leaves = digestsOf(final, 'waiver');
    const shares = waivedShares(outcome);
    const known = shares.flatMap(({ digests }) => digests);
    const wrong = shares.flatMap(({ event, digests: [digest, ...others] }) => {
      const { srid, participant, waivedBy } = event;
      const isAsked = history.waivers.some((one) => shareOf(one) === shareOf(event) && one.by === waivedBy);
      const count = leaves.filter((leaf) => leaf === digest).length;
      if (others.length > 0) return [{ srid, what: `the waiver of ${participant} is ${1 + others.length} events` }];
      if (!isAsked) return [{ srid, what: `${waivedBy} did not waive ${participant}` }];
      return count === 1 ? [] : [{ srid, what: `the waiver of ${participant} is logged ${count} times` }];
    });
    const ofNone = leaves.filter((leaf) => !known.includes(leaf));
    return [...wrong, ...ofNone.map(() => ({ srid: '', what: 'the log has a waiver that is no event' }))];
  },
};

export const attestationsNameWhoWaived: Invariant = {
  name: 'an attestation names who waived a share',
  check: (outcome) => {
    const waived = Map.groupBy(waivedShares(outcome), ({ event }) => event.srid);
    return outcome.final.attestations.flatMap((attestation) => {
      const { srid } = attestation;
      const decided = (waived.get(srid) ?? []).map(({ event }) => `${event.participant} by ${event.waivedBy}`);
      const stated = statedWaivers(attestation);
      return decided.sort().join() === stated.sort().join()
        ? []
        : [{ srid, what: `waived: [${decided.join()}], and its attestation says [${stated.join()}]` }];
    });
  },
};

const statedWaivers = (attestation: Attestation): string[] =>
  statedBy(attestation).participants.flatMap(({ name, waivedBy }) =>
    waivedBy === undefined ? [] : [`${name} by ${waivedBy}`],
  );
