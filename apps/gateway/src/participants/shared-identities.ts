import { randomUUID } from 'node:crypto';
import type { Identity, ParticipantExtension, RequestType } from '@opendsr-service/contracts';
import { gone, notFound, unauthorized, unavailable } from '@opendsr-service/edge';
import type { Clock } from '@opendsr-service/service';
import type { Vault } from '@opendsr-service/vault';
import type { BasicCredentials, Participants } from '@opendsr-service/workspaces';
import { startWaits, type RequestDocument } from '../admission/request.document';
import type { AdmissionsStore } from '../admission/admissions.store';
import { openIdentities } from '../admission/sealing';
import type { ParticipantAction } from '../audit/audit-entry';
import type { AuditStore } from '../audit/audit.store';

interface SharedIdentitiesParts {
  readonly participants: Pick<Participants, 'authenticate'>;
  readonly requests: Pick<AdmissionsStore, 'find'>;
  readonly vault: Pick<Vault, 'key'>;
  readonly audit: Pick<AuditStore, 'add'>;
  readonly clock: Clock;
}

/** `requestId` is that of the HTTP request. */
interface IdentitiesQuery {
  readonly ws: string;
  readonly srid: string;
  readonly credentials: BasicCredentials | undefined;
  readonly requestId: string;
}

interface IdentitiesAnswer {
  readonly type: RequestType;
  readonly identities: readonly Identity[];
}

const RETRY_AFTER_SECONDS = 1;

/** The identities that outside participants may read (decision 8). Every answer is audited. */
export class SharedIdentities {
  constructor(private readonly parts: SharedIdentitiesParts) {}

  /**
   * Throws an ApiError: 401 without valid credentials, 404 without a share, 410 once the share is not awaited or the
   * key is destroyed, 503 while participants are unknown or the audit trail cannot be written.
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

  /** Without a share, the request looks unknown. */
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

  private async appendToAudit(question: Omit<ParticipantAction, 'at'>): Promise<void> {
    try {
      await this.parts.audit.add(randomUUID(), { ...question, at: this.parts.clock.now() });
    } catch {
      throw unavailable(RETRY_AFTER_SECONDS);
    }
  }
}

/** Participants may read the event of the start before this service does. */
const isAheadOfUs = (request: RequestDocument): boolean => request.status === 'in_progress' && startWaits(request);

const isAwaited = ({ status }: RequestDocument, share: ParticipantExtension): boolean =>
  status === 'in_progress' && (share.status === 'pending' || share.status === 'failed');
