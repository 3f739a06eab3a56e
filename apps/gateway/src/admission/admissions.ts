import { createHash } from 'node:crypto';
import { legalDueAt, legalSince, requestKey, type RequestType } from '@opendsr-service/contracts';
import { alreadyExists, conflict, errorOfStatus, invalidOperation, notFound, unavailable } from '@opendsr-service/edge';
import { MAX_RECORD_BYTES } from '@opendsr-service/messaging';
import type { Clock } from '@opendsr-service/service';
import type { Vault } from '@opendsr-service/vault';
import type { Workspace } from '@opendsr-service/workspaces';
import type { ServedVersion } from '../versions/served-version';
import type { Intake } from '../intake/intake';
import type { CommandPublisher } from './command-publisher.client';
import type { ListableRequest, RequestDocument } from './request.document';
import type { Refusal, AdmissionsStore } from './admissions.store';
import { expectedCompletion, isBeyondLegalDate, legalDates } from './legal-dates';
import type { ReceivedTooLate } from './received-too-late';
import { groupIndex, REQUEST_KEYS, sealedLength, sealingKeys, sealIntake } from './sealing';

export interface AdmissionTimes {
  readonly waitingTimesMs: Readonly<Record<RequestType, number>>;
  /** From the planned start to the expected completion; milliseconds. */
  readonly completionMs: number;
  readonly publishWaitMs: number;
}

/** What a receipt says of a request. */
export type ReceiptFacts = Pick<RequestDocument, 'srid' | 'sentId' | 'controllerId' | 'receivedAt' | 'expectedAt'>;

interface AdmissionParts {
  readonly store: AdmissionsStore;
  readonly vault: Vault;
  readonly publisher: CommandPublisher;
  readonly clock: Clock;
  readonly times: AdmissionTimes;
  /** Hears of requests that no start can answer in time. */
  readonly receivedTooLate?: Pick<ReceivedTooLate, 'record'>;
}

const RETRY_AFTER_SECONDS = 1;
/** What else an event has is 50 destinations and 100 participants at most. */
const MOST_SEALED = MAX_RECORD_BYTES - 100 * 1024;

const REFUSALS: Readonly<Record<Refusal, () => Error>> = {
  exists: alreadyExists,
  'same-in-progress': conflict,
  'group-full': () => invalidOperation('The group has as many requests as a group may have.'),
  busy: () => unavailable(RETRY_AFTER_SECONDS),
};

/** What the gateway decides by itself (decision 1). Errors are those of protocol, "Errors". */
export class Admissions {
  constructor(private readonly parts: AdmissionParts) {}

  /**
   * `signReceipt` makes the receipt and resolves with its bytes and those of its signature, whose digest is logged: without
   * the signature anyone could guess who asked. The caller still has to publish the command.
   */
  async create(
    workspace: Workspace,
    intake: Intake,
    processor: ServedVersion,
    signReceipt: (request: ReceiptFacts) => Promise<Buffer>,
  ): Promise<RequestDocument> {
    const { store, vault, clock, times } = this.parts;
    const { ws } = workspace;
    const keys = await sealingKeys(vault, ws);
    const sealed = sealIntake(keys, ws, intake);
    // The event log would refuse its commands and events for ever, so it must not be admitted.
    if (sealedLength(sealed.sealed) > MOST_SEALED) {
      vault.giveBack(ws, REQUEST_KEYS, keys.key);
      throw errorOfStatus(413);
    }
    const receivedAt = clock.now();
    const startAt = new Date(receivedAt.getTime() + times.waitingTimesMs[intake.type]);
    const dates = legalDatesOfNew(workspace, intake, receivedAt);
    const planned = { startAt, completionMs: times.completionMs, legalDueAt: dates.legalDueAt };
    const request = {
      _id: requestKey(ws, intake.srid),
      ws,
      srid: intake.srid,
      ...(intake.sentId && { sentId: intake.sentId }),
      controllerId: workspace.controllerId,
      apiVersion: processor.version.apiVersion,
      type: intake.type,
      ...(intake.regulation && { regulation: intake.regulation }),
      submittedTime: intake.submittedTime,
      receivedAt,
      startAt,
      expectedAt: expectedCompletion(planned),
      ...dates,
      ...sealed,
    };
    const receipt = createHash('sha256')
      .update(await signReceipt(request))
      .digest('base64url');
    const admitted = await store.admit({ ...request, receipt });
    if (typeof admitted === 'string') {
      // Before it was refused, an insert whose answer was lost may have stored it.
      const isUnused = admitted !== 'busy' && (await this.find(ws, intake.srid))?.kid !== sealed.kid;
      if (isUnused) vault.giveBack(ws, REQUEST_KEYS, keys.key);
      throw REFUSALS[admitted]();
    }
    if (isBeyondLegalDate(planned)) this.parts.receivedTooLate?.record(admitted);
    return admitted;
  }

  /** The caller still has to publish the command. */
  async cancel(ws: string, srid: string): Promise<RequestDocument> {
    const cancelled = await this.parts.store.cancel(ws, srid, this.parts.clock.now());
    if (!cancelled) {
      if (!(await this.find(ws, srid))) throw notFound();
      throw invalidOperation('Only a pending request can be cancelled.');
    }
    return cancelled;
  }

  /** Waits briefly for the log. Failures are left to the relay, which sends the commands again and reports errors. */
  async publishCommands(request: RequestDocument): Promise<void> {
    await this.parts.publisher.send(request, this.parts.times.publishWaitMs).catch(() => undefined);
  }

  find(ws: string, srid: string): Promise<RequestDocument | null> {
    return this.parts.store.find(ws, srid);
  }

  async findGroup(ws: string, name: string): Promise<ListableRequest[]> {
    return this.parts.store.findGroup(ws, groupIndex(await this.parts.vault.index(ws), name));
  }
}

function legalDatesOfNew(
  { legal, class: workspaceClass }: Workspace,
  { submittedTime, regulation }: Intake,
  receivedAt: Date,
) {
  const since = legalSince({ submittedTime, receivedAt }, legal);
  const dueAt = legalDueAt(regulation, since, legal);
  return {
    ...legalDates({ ...(regulation && { regulation }), legalSince: since, legalDueAt: dueAt, workspaceClass }),
    legalDueAt: dueAt,
  };
}
