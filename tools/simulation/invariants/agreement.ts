import type { Admission, Aggregate } from '../final-state';
import type { Outcome } from '../world';
import type { Invariant } from './violation';

const shown = ({ status, v, outbox }: Pick<Admission, 'v' | 'outbox'> & { readonly status: string }): string =>
  `${status}, version ${v}, ${outbox.length} on their way`;

function difference(admission: Admission, aggregate: Aggregate | undefined): string | undefined {
  const [view, state] = [shown(admission), aggregate ? shown(aggregate) : 'nothing'];
  return view === state && view.endsWith(' 0 on their way')
    ? undefined
    : `the gateway holds: ${view}; the request service: ${state}`;
}

export const viewsAgree: Invariant = {
  name: "the gateway's view equals the request's state in the end",
  check: ({ final }: Outcome) => {
    const states = new Map(final.aggregates.map((aggregate) => [aggregate._id, aggregate]));
    return final.admissions.flatMap((admission) => {
      const what = difference(admission, states.get(admission._id));
      return what === undefined ? [] : [{ srid: admission.srid, what }];
    });
  },
};

/** Invalid records of outsiders are set aside; ours never are. */
export const nothingIsParked: Invariant = {
  name: 'no record of ours is parked',
  check: ({ final }: Outcome) =>
    final.parked
      .filter(({ aside }) => !aside)
      .map(({ database, topic, key, reason }) => ({
        srid: key.split(':')[1] ?? key,
        what: `${database} parked a record of ${topic}: ${reason}`,
      })),
};
