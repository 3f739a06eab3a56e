import type { ParticipantReported, RequestEvent } from '@opendsr-service/contracts';

/** What a participant last reported, as its event has it. */
export type ReportFacts = Pick<ParticipantReported, 'status' | 'at' | 'waivedBy' | 'destroyed'>;

/** The last report of each participant among these events. */
export function reportsOf(events: readonly RequestEvent[]): Readonly<Record<string, ReportFacts>> | undefined {
  const reported = events.filter((event) => event.type === 'ParticipantReported');
  if (reported.length === 0) return undefined;
  return Object.fromEntries(
    reported.map(({ participant, status, at, waivedBy, destroyed }) => [
      participant,
      { status, at, ...(waivedBy !== undefined && { waivedBy }), ...(destroyed && { destroyed }) },
    ]),
  );
}

export const isEnd = ({ type }: Pick<RequestEvent, 'type'>): boolean =>
  type === 'RequestCompleted' || type === 'RequestCancelled';
