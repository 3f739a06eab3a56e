import type { RequestStatus } from '@opendsr-service/contracts';
import type { Sending } from '../history';
import type { Outcome } from '../world';
import type { Invariant } from './violation';

/** A receiver may hear a status twice, of a try whose answer was lost; one after the other it counts once. */
const statusesToSend = (statuses: readonly RequestStatus[]): readonly RequestStatus[] =>
  statuses.filter((status, n) => status !== statuses[n - 1]);

const WHOLE: Readonly<Partial<Record<RequestStatus, string>>> = {
  completed: 'pending, in_progress, completed',
  cancelled: 'pending, cancelled',
};

export const everyChangeIsTold: Invariant = {
  name: 'every status change reaches every URL, in order',
  check: ({ plans, history, final }: Outcome) => {
    const urlsOf = new Map(plans.map(({ srid, callbackUrls }) => [srid, callbackUrls]));
    return final.admissions.flatMap(({ srid, status }) =>
      (urlsOf.get(srid) ?? []).flatMap((url) => {
        const heard = statusesToSend(
          history.taken.filter((one) => one.srid === srid && one.url === url).map((one) => one.status),
        ).join(', ');
        return WHOLE[status] === undefined || heard === WHOLE[status]
          ? []
          : [{ srid, what: `it ended ${status}, and ${url} heard: ${heard}` }];
      }),
    );
  },
};

const sendingsThat = (history: Outcome['history'], isWrong: (sending: Sending) => boolean) =>
  history.sendings.filter(isWrong).map(({ srid, status, url, leaseUntilMs = 0, beganMs, takenMs = beganMs }) => ({
    srid,
    what:
      `${status} to ${url} began ${beganMs - leaseUntilMs} ms after the end of its lease ` +
      `and was taken ${takenMs - leaseUntilMs} ms after it`,
  }));

export const deliveriesBeginInTime: Invariant = {
  name: 'no delivery begins after its lease has ended',
  check: ({ history }) => sendingsThat(history, ({ beganMs, leaseUntilMs = 0 }) => beganMs > leaseUntilMs),
};

export const deliveriesEndInTime: Invariant = {
  name: 'no delivery goes on after its lease has ended',
  check: ({ history }) => sendingsThat(history, ({ takenMs = 0, leaseUntilMs = 0 }) => takenMs > leaseUntilMs),
};
