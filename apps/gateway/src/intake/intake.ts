import {
  identitySet,
  isWellFormed,
  type Identity,
  type ProtocolVersion,
  type Regulation,
  type RequestType,
} from '@opendsr-service/contracts';
import { ApiError, badRequest, invalid, validateBody, type Fault } from '@opendsr-service/edge';
import { checkCounts, type CreateLimits } from './create-limits';
import { CreateRequestDto, ExtensionDto } from './create-request.dto';
import { extensionIdentities, subjectIdentities } from './identities';
import { parseIso8601 } from './iso-8601';
import { fieldsOf, isNothing, readEach, type Loose } from './loose';

/** The validated and normalised body of a create. */
export interface Intake {
  readonly srid: string;
  /** Where it differs from `srid`. */
  readonly sentId?: string;
  readonly type: RequestType;
  readonly regulation?: Regulation;
  readonly submittedTime: Date;
  readonly groupId: string | null;
  readonly identities: readonly Identity[];
  readonly callbackUrls: readonly string[];
}

export interface IntakeRules {
  readonly version: ProtocolVersion;
  /** The processor domain of the version. */
  readonly extensionKey: string;
  /** The keys of the other served versions. */
  readonly otherKeys: readonly string[];
  /** The fault, without the URL; undefined: none. */
  readonly callbackUrlFault: (url: string) => string | undefined;
  readonly limits: CreateLimits;
}

/**
 * Throws a 400 ApiError that names all faults by path, never by value (protocol, "Request"). Lists
 * that are too long are reported alone.
 */
export function readIntake(json: unknown, rules: IntakeRules): Intake {
  const faults: Fault[] = [];
  const given = fieldsOf<CreateRequestDto>(json);
  if (!given) throw badRequest([invalid('The body must be a JSON object.')]);
  const own = ownExtension(given.extensions, rules.extensionKey);
  const extension = fieldsOf<ExtensionDto>(own) ?? {};
  checkCounts(given, extension, rules);
  const { hasRegulation } = rules.version;
  // Overwrites a field of that name in the body.
  const dto = collecting(faults, () => validateBody(CreateRequestDto, { ...given, hasRegulation }));
  checkApiVersion(given, rules, faults);
  if (own !== undefined) collecting(faults, () => validateBody(ExtensionDto, own, `extensions.${rules.extensionKey}`));
  checkKeys(given, rules, faults);
  const identities = allIdentities(given, extension, { key: rules.extensionKey, faults });
  const callbackUrls = checkedUrls(given, rules, faults);
  if (!dto || faults.length > 0) throw badRequest(faults);
  return {
    ...idOf(dto.subject_request_id),
    type: dto.subject_request_type,
    ...(hasRegulation && dto.regulation && { regulation: dto.regulation }),
    submittedTime: parseIso8601(dto.submitted_time) as Date,
    // Clients send an empty group for none.
    groupId: dto.group_id || null,
    identities,
    callbackUrls,
  };
}

function idOf(sent: string): Pick<Intake, 'srid' | 'sentId'> {
  const srid = sent.toLowerCase();
  return { srid, ...(sent !== srid && { sentId: sent }) };
}

/** Clients send an empty version for none. */
function checkApiVersion({ api_version }: Loose<CreateRequestDto>, { version }: IntakeRules, faults: Fault[]): void {
  const isOther = typeof api_version === 'string' && api_version !== '' && api_version !== version.apiVersion;
  if (isOther) faults.push(invalid(`api_version must be ${version.apiVersion} at this address`));
}

/** A nearly correct key is a fault, or its content would be ignored silently. */
function checkKeys(
  { extensions }: Loose<CreateRequestDto>,
  { extensionKey, otherKeys }: IntakeRules,
  faults: Fault[],
): void {
  const ours = [extensionKey, ...otherKeys].map((key) => key.toLowerCase());
  const isNear = ([key, value]: [string, unknown]) =>
    !isNothing(value) && key !== extensionKey && ours.includes(key.trim().toLowerCase().replace(/\.$/, ''));
  const isMeantForUs = Object.entries(fieldsOf<Record<string, unknown>>(extensions) ?? {}).some(isNear);
  if (isMeantForUs)
    faults.push(
      invalid(
        `extensions holds a key that is nearly ours, or ours at another address: here it is extensions.${extensionKey}, spelt so`,
      ),
    );
}

function allIdentities(
  { subject_identities: subject }: Loose<CreateRequestDto>,
  extension: Loose<ExtensionDto>,
  { key, faults }: { key: string; faults: Fault[] },
): Identity[] {
  const isEmpty = [subject, extension.mpids, extension.identities].every(isNothing);
  if (isEmpty) faults.push(invalid(`subject_identities is required unless extensions.${key} names identities`));
  return identitySet([
    ...subjectIdentities(subject, key, faults),
    ...extensionIdentities(extension, `extensions.${key}`, faults),
  ]);
}

function checkedUrls(
  { status_callback_urls }: Loose<CreateRequestDto>,
  { callbackUrlFault }: IntakeRules,
  faults: Fault[],
): string[] {
  const texts = readEach(status_callback_urls, faults, (url, n) => {
    if (typeof url !== 'string') return [];
    const fault = isWellFormed(url) ? callbackUrlFault(url) : 'is not a URL';
    if (fault !== undefined) faults.push(invalid(`status_callback_urls[${n}] ${fault}`));
    return [url];
  });
  return [...new Set(texts)];
}

/** Undefined: none. Clients send null for none. */
function ownExtension(extensions: unknown, key: string): unknown {
  const all = fieldsOf<Record<string, unknown>>(extensions) ?? {};
  return Object.hasOwn(all, key) ? (all[key] ?? undefined) : undefined;
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
