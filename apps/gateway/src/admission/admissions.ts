import { requestKey, type RequestType } from '@opendsr-service/contracts';
import { alreadyExists, conflict, invalidOperation, notFound, unavailable } from '@opendsr-service/edge';
import type { Clock } from '@opendsr-service/service';
import type { Vault } from '@opendsr-service/vault';
import type { Workspace } from '@opendsr-service/workspaces';
import type { ServedVersion } from '../versions/served-version';
import type { Intake } from '../intake/intake';
import type { Outbox } from './outbox.client';
import type { RequestDocument } from './request.document';
import type { Refusal, AdmissionsStore } from './admissions.store';
import { groupIndex, sealIntake } from './sealing';

export interface AdmissionTimes {
  /** How long a request waits before it starts, by its type; milliseconds. */
  readonly waitingTimesMs: Readonly<Record<RequestType, number>>;
  /** From the planned start to the expected completion; milliseconds. */
  readonly completionMs: number;
  /** How long an answer waits for the log; milliseconds. */
  readonly publishWaitMs: number;
}

export interface AdmissionParts {
  readonly store: AdmissionsStore;
  readonly vault: Vault;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly times: AdmissionTimes;
}

const RETRY_AFTER_SECONDS = 1;

const REFUSALS: Readonly<Record<Refusal, () => Error>> = {
  exists: alreadyExists,
  'same-in-progress': conflict,
  'group-full': () => invalidOperation('The group has as many requests as a group may have.'),
  busy: () => unavailable(RETRY_AFTER_SECONDS),
};

/** Admits and cancels requests: what the gateway decides by itself (D1). Errors are those of the interface, "Errors". */
export class Admissions {
  constructor(private readonly parts: AdmissionParts) {}

  /** Admits a request of a workspace as pending. What was decided still has to be handed over. */
  async create(workspace: Workspace, intake: Intake, processor: ServedVersion): Promise<RequestDocument> {
    const { store, vault, clock, times } = this.parts;
    const sealed = await sealIntake(vault, workspace.ws, intake);
    const receivedAt = clock.now();
    const startAt = new Date(receivedAt.getTime() + times.waitingTimesMs[intake.type]);
    const admitted = await store.admit({
      _id: requestKey(workspace.ws, intake.srid),
      ws: workspace.ws,
      srid: intake.srid,
      ...(intake.sentId && { sentId: intake.sentId }),
      controllerId: workspace.controllerId,
      apiVersion: processor.version.apiVersion,
      type: intake.type,
      ...(intake.regulation && { regulation: intake.regulation }),
      submittedTime: intake.submittedTime,
      receivedAt,
      startAt,
      expectedAt: new Date(startAt.getTime() + times.completionMs),
      ...sealed,
    });
    if (typeof admitted === 'string') throw REFUSALS[admitted]();
    return admitted;
  }

  /** Cancels a pending request of a workspace. What was decided still has to be handed over. */
  async cancel(ws: string, srid: string): Promise<RequestDocument> {
    const cancelled = await this.parts.store.cancel(ws, srid, this.parts.clock.now());
    if (!cancelled) {
      if (!(await this.find(ws, srid))) throw notFound();
      throw invalidOperation('Only a pending request can be cancelled.');
    }
    return cancelled;
  }

  /**
   * Hands the commands of a request to the log, and waits a little for it. What was decided stands whatever becomes of this: the relay
   * sends them again, and it is there that an error is told which is more than the log being away.
   */
  async publishCommands(request: RequestDocument): Promise<void> {
    await this.parts.outbox.send(request, this.parts.times.publishWaitMs).catch(() => undefined);
  }

  /** The request of a workspace, whatever its status; null: unknown there. */
  find(ws: string, srid: string): Promise<RequestDocument | null> {
    return this.parts.store.find(ws, srid);
  }

  /** The requests of the group of this name of a workspace, in a stable order. */
  async findGroup(ws: string, name: string): Promise<RequestDocument[]> {
    return this.parts.store.findGroup(ws, groupIndex(await this.parts.vault.index(ws), name));
  }
}
