import type { Identity, ParticipantExtension, RequestType } from '@opendsr-service/contracts';
import { gone, notFound, unauthorized, unavailable } from '@opendsr-service/edge';
import type { Clock } from '@opendsr-service/service';
import type { Vault } from '@opendsr-service/vault';
import type { BasicCredentials, Participants } from '@opendsr-service/workspaces';
import type { RequestDocument } from '../admission/request.document';
import type { AdmissionsStore } from '../admission/admissions.store';
import { openIdentities } from '../admission/sealing';
import type { AuditDocument, AuditStore } from './audit.store';

export interface SharedIdentitiesParts {
  readonly participants: Pick<Participants, 'authenticate'>;
  readonly requests: Pick<AdmissionsStore, 'find'>;
  readonly vault: Pick<Vault, 'key'>;
  readonly audit: AuditStore;
  readonly clock: Clock;
}

/** Who asks about which request; `requestId` is that of the HTTP request. */
export interface IdentitiesQuery {
  readonly ws: string;
  readonly srid: string;
  readonly credentials: BasicCredentials | undefined;
  readonly requestId: string;
}

export interface IdentitiesAnswer {
  readonly type: RequestType;
  readonly identities: readonly Identity[];
}

const RETRY_AFTER_SECONDS = 1;
const STARTED_VERSION = 2;

/** What outside participants may see of the person whom a request is about (D8). Keys are never handed out, and no answer goes unnoted. */
export class SharedIdentities {
  constructor(private readonly parts: SharedIdentitiesParts) {}

  /**
   * Throws an ApiError: 401 for who proves nothing, 404 where he has no share, 410 once nothing waits for him or the key is destroyed,
   * 503 where it is not known yet who takes part or the audit trail cannot be written.
   */
  async readFor(question: IdentitiesQuery): Promise<IdentitiesAnswer> {
    const { ws, srid, credentials, requestId } = question;
    const participant =
      credentials && (await this.parts.participants.authenticate(ws, credentials.key, credentials.secret));
    if (!participant) throw unauthorized();
    const { request, share } = await this.findShare(ws, srid, participant.name);
    const identities = isAwaited(request, share) ? await openIdentities(this.parts.vault, request) : undefined;
    await this.appendToAudit({
      ws,
      srid,
      participant: participant.name,
      requestId,
      action: identities ? 'identities-read' : 'identities-refused',
    });
    if (!identities) throw gone();
    const { identityTypes } = participant;
    return {
      type: request.type,
      identities: identities.filter(({ type }) => !identityTypes || identityTypes.includes(type)),
    };
  }

  /** A request in which a participant has no share looks to it like one that does not exist. */
  private async findShare(
    ws: string,
    srid: string,
    name: string,
  ): Promise<{ readonly request: RequestDocument; readonly share: ParticipantExtension }> {
    const request = await this.parts.requests.find(ws, srid);
    const share = request?.extensions?.find((one) => one.name === name);
    if (!request || !share) throw request && isAheadOfUs(request) ? unavailable(RETRY_AFTER_SECONDS) : notFound();
    return { request, share };
  }

  private async appendToAudit(question: Omit<AuditDocument, '_id' | 'at'>): Promise<void> {
    try {
      await this.parts.audit.append({ ...question, at: this.parts.clock.now() });
    } catch {
      throw unavailable(RETRY_AFTER_SECONDS);
    }
  }
}

/** Participants read the same topic as we do, and may be faster: the event of the start is version 2, and names them. */
const isAheadOfUs = ({ status, v }: RequestDocument): boolean => status === 'in_progress' && v < STARTED_VERSION;

/** Nothing waits for a participant once the request has ended, or once its share was skipped: by its own report or by an operator's waiver. */
const isAwaited = ({ status }: RequestDocument, share: ParticipantExtension): boolean =>
  status === 'in_progress' && share.status !== 'skipped';
