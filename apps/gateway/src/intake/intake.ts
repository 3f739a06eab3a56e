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
  checkApiVersion(dto, rules, faults);
  const submittedTime = submittedAt(dto, faults);
  const identities = allIdentities(dto, rules, faults);
  const callbackUrls = checkedUrls(dto, rules, faults);
  if (faults.length > 0) throw badRequest(faults);
  return {
    srid: dto.subject_request_id.toLowerCase(),
    type: dto.subject_request_type,
    ...(rules.version.hasRegulation && dto.regulation && { regulation: dto.regulation }),
    submittedTime,
    groupId: dto.group_id ?? null,
    identities,
    callbackUrls,
  };
}

function checkApiVersion({ api_version }: CreateRequestDto, { version }: IntakeRules, faults: Fault[]): void {
  if (api_version && api_version !== version.apiVersion) faults.push(invalid(`api_version must be ${version.apiVersion} at this address`));
}

/** The submitted time; beside a fault any time will do. */
function submittedAt({ submitted_time }: CreateRequestDto, faults: Fault[]): Date {
  const moment = parseIso8601(submitted_time);
  if (!moment) faults.push(invalid('submitted_time must be an ISO 8601 date-time'));
  return moment ?? new Date(0);
}

function allIdentities(dto: CreateRequestDto, { extensionKey }: IntakeRules, faults: Fault[]): Identity[] {
  const before = faults.length;
  const extension = ownExtension(dto, extensionKey, faults);
  const identities = [
    ...subjectIdentities(dto.subject_identities ?? [], extensionKey, faults),
    ...extensionIdentities(extension ?? {}, `extensions.${extensionKey}`, faults),
  ];
  const isEmpty = identities.length === 0 && faults.length === before;
  if (isEmpty) faults.push(invalid(`subject_identities is required unless extensions.${extensionKey} names identities`));
  return identitySet(identities);
}

function checkedUrls(dto: CreateRequestDto, { callbackUrlFault }: IntakeRules, faults: Fault[]): string[] {
  const urls = dto.status_callback_urls ?? [];
  urls.forEach((url, n) => {
    const fault = callbackUrlFault(url);
    if (fault !== undefined) faults.push(invalid(`status_callback_urls[${n}] ${fault}`));
  });
  return [...new Set(urls)];
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
