import { requestKey } from '@opendsr-service/contracts';
import { hasEnded } from '../final-state';
import type { Call } from '../history';
import type { Outcome } from '../world';
import type { Invariant } from './violation';

const GROUP_SIZE = 150;

const creates = ({ history }: Outcome): Call[] => history.calls.filter(({ kind }) => kind === 'create');
const accepted = (outcome: Outcome): Call[] => creates(outcome).filter(({ status }) => status === 201);

export const oneAdmission: Invariant = {
  name: 'at most one 201 for an id',
  check: (outcome) => {
    const answered = accepted(outcome).map(({ life }) => life.srid);
    const twice = new Set(answered.filter((srid, n) => answered.indexOf(srid) !== n));
    return [...twice].map((srid) => ({ srid, what: 'two creates were answered with 201' }));
  },
};

/** Requests that were admitted without an answer must end as well. */
export const everyAdmissionEnds: Invariant = {
  name: 'every 201 ends completed or cancelled',
  check: (outcome) => {
    const { admissions } = outcome.final;
    const known = new Map(admissions.map((admission) => [admission.srid, admission]));
    const lost = accepted(outcome).filter(({ life }) => !known.has(life.srid));
    return [
      ...lost.map(({ life }) => ({ srid: life.srid, what: 'it was answered with 201 and is not there in the end' })),
      ...admissions
        .filter((admission) => !hasEnded(admission))
        .map(({ srid, status }) => ({ srid, what: `it is ${status} in the end` })),
    ];
  },
};

export const groupsAreBounded: Invariant = {
  name: 'at most 150 in a group',
  check: (outcome) => {
    // The stores know groups by keyed hashes, the calls by their names.
    const names = new Map(creates(outcome).map(({ life }) => [requestKey(life.tenant.ws, life.srid), life.groupId]));
    const groups = new Map<string, { srid: string; count: number }>();
    for (const { ws, groupId, srid } of outcome.final.admissions) {
      const group = `${ws} ${names.get(requestKey(ws, srid)) ?? groupId ?? ''}`;
      if (groupId !== null) groups.set(group, { srid, count: (groups.get(group)?.count ?? 0) + 1 });
    }
    const full = creates(outcome).filter(({ message }) => message?.includes('group has as many'));
    return [
      ...[...groups.values()]
        .filter(({ count }) => count > GROUP_SIZE)
        .map(({ srid, count }) => ({ srid, what: `its group has ${count} requests` })),
      ...full
        .filter(({ life }) => (groups.get(`${life.tenant.ws} ${life.groupId ?? ''}`)?.count ?? 0) < GROUP_SIZE)
        .map(({ life }) => ({ srid: life.srid, what: 'it was refused for a full group that has room' })),
    ];
  },
};
