import type { Role } from '@opendsr-service/operator-access';

/** What an operator has asked for by the API, before it was done. */
export interface OperatorAction {
  readonly ws: string;
  readonly srid: string;
  readonly action:
    | ('deadline-extension-asked' | 'request-cancel-asked' | 'callback-replay-asked' | 'participant-waiver-asked')
    | ('identities-reveal-asked' | 'identities-reveal-approved' | 'identities-revealed');
  /** The subject of the token. */
  readonly by: string;
  readonly role: Role;
  /** Sealed under the key of the request. */
  readonly reason: string;
  readonly at: Date;
  /** Id of the HTTP request. */
  readonly requestId: string;
  readonly delivery?: string;
  readonly participant?: string;
  /** The subject of who approved it. */
  readonly approvedBy?: string;
}

/** What an operator has asked for by the API about the service itself, where no key of a request can seal the reason. */
export interface ServiceAction extends Pick<OperatorAction, 'ws' | 'srid' | 'by' | 'role' | 'at' | 'requestId'> {
  readonly action:
    | ('parked-redrive-asked' | 'parked-drop-asked')
    | ('api-key-create-asked' | 'api-key-rotation-asked' | 'api-key-revocation-asked');
  /** Why, in clear; also in the words of who uses `dsr`. */
  readonly because: string;
  /** The id of a parked record. */
  readonly record?: string;
  /** The service whose records are meant. */
  readonly service?: string;
  /** An API key, never its secret. */
  readonly key?: string;
}

/** What an operator has asked for or was shown by `dsr`, which knows no role. `ws` and `srid` are empty if it concerns no request. */
export interface ToolAction
  extends
    Pick<OperatorAction, 'ws' | 'srid' | 'by' | 'at' | 'participant'>,
    Partial<Pick<ServiceAction, 'because' | 'record' | 'service' | 'key'>> {
  readonly action:
    | ServiceAction['action']
    | ('deadline-extension-asked' | 'participant-waived' | 'identities-shown' | 'parked-value-shown')
    | ('participant-add-asked' | 'participant-removal-asked')
    | ('workspace-create-asked' | 'workspace-calendar-asked' | 'workspace-class-asked')
    | ('workspace-after-erasure-asked' | 'workspace-device-matching-asked');
}

/** What a participant asked for: its name, never what was read. */
export interface ParticipantAction extends Pick<OperatorAction, 'ws' | 'srid' | 'at' | 'requestId'> {
  readonly action: 'identities-read' | 'identities-refused';
  readonly participant: string;
}

/** Of an operator about a request, by the API. */
export type OperatorEntry = OperatorAction & { readonly _id: string };

/** An entry of anybody: an operator, by the API or by `dsr`, or a participant. */
export type AuditEntry = Pick<OperatorEntry, '_id' | 'ws' | 'srid' | 'at'> &
  Partial<Omit<OperatorEntry, 'action'>> &
  Partial<Pick<ServiceAction, 'because' | 'record' | 'service' | 'key'>> & { readonly action: string };
