import type { LogRecord } from '@opendsr-service/messaging';
import type { TreeHead } from '@opendsr-service/transparency';
import type { RequestStatus } from '@opendsr-service/contracts';
import type { LifePlan } from './actors/plan';

/** A moment is a place in the order of all that happened: what has the smaller one was before. */
export type Moment = number;

/** A status of a request that a caller or receiver saw. */
export interface Shown {
  readonly srid: string;
  readonly status: RequestStatus;
}

/** A call of a controller. Without `endedAt` its result is unknown. */
export interface Call {
  readonly kind: 'create' | 'read' | 'list' | 'cancel';
  readonly life: LifePlan;
  readonly beganAt: Moment;
  endedAt?: Moment;
  status?: number;
  /** The message of an error. */
  message?: string;
  shown: readonly Shown[];
}

/** A callback that its receiver took. */
interface Taken extends Shown {
  readonly url: string;
  readonly at: Moment;
}

/** A callback that its sender began to deliver; milliseconds. */
export interface Sending extends Shown {
  readonly url: string;
  readonly beganMs: number;
  /** Until when its sender held the destination then; undefined: not at all. */
  readonly leaseUntilMs: number | undefined;
  /** When its receiver took it. */
  takenMs?: number;
}

/** A report that is signed as it has to be, once it is in the log. */
interface Reported {
  readonly srid: string;
  readonly participant: string;
  readonly status: string;
  readonly at: Moment;
}

/** An event of the request service, each time that it comes into the log. */
interface Happened {
  readonly record: LogRecord;
  readonly at: Moment;
}

/** How a command of an operator ended: `done`, or why not. Undefined: it failed, or its process died. */
export type CommandAnswer = string | undefined;

/** A wish of an operator to extend a legal date. Without an answer its result is unknown. */
export interface Extension {
  readonly srid: string;
  answer?: CommandAnswer;
}

/** A wish of an operator to waive a participant. */
interface AskedWaiver {
  readonly srid: string;
  readonly participant: string;
  readonly by: string;
}

/** Everything that could be seen of a world from outside, in order. */
export class History {
  readonly calls: Call[] = [];
  readonly taken: Taken[] = [];
  readonly sendings: Sending[] = [];
  readonly reports: Reported[] = [];
  readonly events: Happened[] = [];
  /** Each time that one comes into the log. */
  readonly checkpoints: TreeHead[] = [];
  readonly extensions: Extension[] = [];
  readonly waivers: AskedWaiver[] = [];
  private last: Moment = 0;

  next(): Moment {
    this.last += 1;
    return this.last;
  }

  asksForExtension(srid: string): Extension {
    const extension: Extension = { srid };
    this.extensions.push(extension);
    return extension;
  }

  begin(kind: Call['kind'], life: LifePlan): Call {
    const call: Call = { kind, life, beganAt: this.next(), shown: [] };
    this.calls.push(call);
    return call;
  }
}
