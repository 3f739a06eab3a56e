import { requestKey, type ParticipantExtension } from '@opendsr-service/contracts';
import type { ReportFacts } from './reports';

/** Events of a request in a row, up to version `v`. */
export interface EventRun {
  readonly ws: string;
  readonly srid: string;
  readonly v: number;
  /** The version before the first of them. Default: `v - 1`, a single event. */
  readonly after?: number;
  /** From the last event that names them. */
  readonly extensions?: readonly ParticipantExtension[];
  /** By participant, the last of each among them. */
  readonly reports?: Readonly<Record<string, ReportFacts>>;
  /** Set where the last of them ends the request. */
  readonly end?: { readonly history: string; readonly attestAt: Date };
}

/** The part of events that answers commands. */
export interface CommandAnswer extends EventRun {
  readonly commandSeq: number;
  /** Set on the last event of a request. */
  readonly keyDueAt?: Date;
}

/** Filter: the admission has the version before the first event. */
export const atPreviousVersion = ({ ws, srid, v, after = v - 1 }: EventRun) => ({
  _id: requestKey(ws, srid),
  ws,
  v: after,
});

/** Each participant has a path of its own, as several runs report. Its name holds no dot. */
export const versionFields = ({ v, extensions, reports = {}, end }: EventRun) => ({
  v,
  ...(extensions && { extensions }),
  ...Object.fromEntries(Object.entries(reports).map(([name, report]) => [`reports.${name}`, report])),
  ...end,
});
