import type { KeyObject } from 'node:crypto';
import { Controller, Inject } from '@nestjs/common';
import {
  isRecordSignedBy,
  isWellFormed,
  MalformedMessage,
  PARTICIPANTS,
  participantReports,
  type ParticipantReport,
  TOPICS,
} from '@opendsr-service/contracts';
import { ConsumeBatch, eachInOrder, type LogRecord, type Verdict } from '@opendsr-service/messaging';
import { Participants } from '@opendsr-service/workspaces';
import { RequestCommandHandler } from '../aggregates/request-command-handler';
import { REQUEST_GROUP, REQUEST_WIDTH, WAIVER_KEY } from '../tokens';

/** An erasure must not complete while data or archives remain. */
const OUR_OWN: readonly string[] = Object.values(PARTICIPANTS);

const FOUR_DIGITS_OF_A_YEAR = /^\d{4}-/;

/** Parked aside: one participant's bad report must not block the other reports of the request. */
const aside = (reason: string): Verdict => ({ park: reason, aside: true });

/** The report as events hold it. Throws MalformedMessage for what the schema cannot say. */
function checked(report: ParticipantReport): ParticipantReport {
  const { at, status, statusMessage = '', waivedBy } = report;
  if (waivedBy !== undefined && status !== 'skipped') throw new MalformedMessage('waived-but-not-skipped');
  // A store would keep another character, and the digest of the event would not be that of what is published.
  if (!isWellFormed(statusMessage)) throw new MalformedMessage('schema:/statusMessage');
  // RFC 3339 has several spellings of a time, the schema lets some pass that are no time, and in UTC some lie outside of its years.
  const time = new Date(at);
  if (Number.isNaN(time.getTime()) || !FOUR_DIGITS_OF_A_YEAR.test(time.toISOString()))
    throw new MalformedMessage('schema:/at');
  return { ...report, at: time.toISOString() };
}

/** Handles participants' reports; parks an invalid one with its reason (decision 8). */
@Controller()
export class ReportsConsumer {
  constructor(
    @Inject(RequestCommandHandler) private readonly requests: RequestCommandHandler,
    @Inject(Participants) private readonly participants: Pick<Participants, 'reportKey'>,
    /** Operators sign waivers with it, so that an unregistered participant can be waived too. */
    @Inject(WAIVER_KEY) private readonly waiverKey: KeyObject,
  ) {}

  @ConsumeBatch(TOPICS.participantReports.name, REQUEST_GROUP)
  handle(records: readonly LogRecord[]): Promise<readonly Verdict[]> {
    return eachInOrder(
      records,
      async (record) => {
        try {
          return await this.handleReport(record);
        } catch (error) {
          if (error instanceof MalformedMessage) return aside(error.reason);
          throw error;
        }
      },
      { width: REQUEST_WIDTH },
    );
  }

  /** Before the signature is verified, only the name of the signer is used. */
  private async handleReport(record: LogRecord): Promise<Verdict> {
    const report = participantReports.decode(record);
    const { ws, participant, waivedBy } = report;
    if (waivedBy !== undefined && OUR_OWN.includes(participant)) return aside('not-waivable');
    const key = waivedBy === undefined ? await this.participants.reportKey(ws, participant) : this.waiverKey;
    if (!key) return aside('not-registered');
    if (!isRecordSignedBy(record, key)) return aside('wrong-signature');
    const outcome = await this.requests.handle(checked(report));
    if (outcome === 'done') return 'done';
    return outcome === 'repeat' || outcome === 'gap' ? 'skip' : aside(outcome);
  }
}
