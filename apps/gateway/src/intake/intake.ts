import { identitySet, type Identity, type ProtocolVersion, type Regulation, type RequestType } from '@opendsr-service/contracts';
import { ApiError, badRequest, invalid, validateBody, type Fault } from '@opendsr-service/edge';
import { CreateRequestDto, ExtensionDto } from './create-request.dto';
import { extensionIdentities, subjectIdentities } from './identities';
import { parseIso8601 } from './iso-8601';

/** What a controller asks for, checked and normalised: all that is read from the body of a create. */
export interface Intake {
  readonly srid: string;
  readonly type: RequestType;
  readonly regulation?: Regulation;
  readonly submittedTime: Date;
  readonly groupId: string | null;
  readonly identities: readonly Identity[];
  readonly callbackUrls: readonly string[];
}

export interface IntakeRules {
  readonly version: ProtocolVersion;
  /** Key of the own extension, the processor domain of that version. */
  readonly extensionKey: string;
  /** What is wrong with a callback URL, without repeating it; undefined: nothing. */
  readonly callbackUrlFault: (url: string) => string | undefined;
}

/**
 * Reads the body of a create (interface.md, "Request"; protocol-notes). Throws a 400 ApiError that names all faults at
 * once, by path and never by value.
 */
export function readIntake(json: unknown, rules: IntakeRules): Intake {
  const faults: Fault[] = [];
  const dto = collecting(faults, () => validateBody(CreateRequestDto, withVersion(json, rules.version)));
  if (!dto) throw badRequest(faults);
  const extension = ownExtension(dto, rules.extensionKey, faults);
  const submittedTime = parseIso8601(dto.submitted_time);
  if (!submittedTime) faults.push(invalid('submitted_time must be an ISO 8601 date-time'));
  if (dto.api_version && dto.api_version !== rules.version.apiVersion) {
    faults.push(invalid(`api_version must be ${rules.version.apiVersion} at this address`));
  }
  const identities = [
    ...subjectIdentities(dto.subject_identities ?? [], rules.extensionKey, faults),
    ...extensionIdentities(extension ?? {}, `extensions.${rules.extensionKey}`, faults),
  ];
  const callbackUrls = [...new Set(dto.status_callback_urls ?? [])];
  callbackUrls.forEach((url, n) => {
    const fault = rules.callbackUrlFault(url);
    if (fault !== undefined) faults.push(invalid(`status_callback_urls[${n}] ${fault}`));
  });
  if (faults.length === 0 && identities.length === 0) {
    faults.push(invalid(`subject_identities is required unless extensions.${rules.extensionKey} names identities`));
  }
  if (faults.length > 0 || !submittedTime) throw badRequest(faults);
  return {
    srid: dto.subject_request_id.toLowerCase(),
    type: dto.subject_request_type,
    ...(rules.version.hasRegulation && dto.regulation && { regulation: dto.regulation }),
    submittedTime,
    groupId: dto.group_id ?? null,
    identities: identitySet(identities),
    callbackUrls,
  };
}

/** Where the body has a field of that name of its own, ours wins: it is not the controller's to set. */
const withVersion = (json: unknown, { hasRegulation }: ProtocolVersion): unknown =>
  typeof json === 'object' && json !== null && !Array.isArray(json) ? { ...json, hasRegulation } : json;

function ownExtension({ extensions }: CreateRequestDto, key: string, faults: Fault[]): ExtensionDto | undefined {
  if (!extensions || !Object.hasOwn(extensions, key)) return undefined;
  return collecting(faults, () => validateBody(ExtensionDto, extensions[key], `extensions.${key}`));
}

function collecting<T>(faults: Fault[], check: () => T): T | undefined {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    faults.push(...error.faults);
    return undefined;
  }
}
