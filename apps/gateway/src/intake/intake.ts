import { identitySet, isWellFormed, type Identity, type ProtocolVersion, type Regulation, type RequestType } from '@opendsr-service/contracts';
import { ApiError, badRequest, invalid, validateBody, type Fault } from '@opendsr-service/edge';
import { CreateRequestDto, ExtensionDto, MAX_CALLBACK_URLS, MAX_IDENTITIES } from './create-request.dto';
import { extensionIdentities, subjectIdentities } from './identities';
import { parseIso8601 } from './iso-8601';
import { elementsOf, fieldsOf, isNothing, withCutLists, type Loose } from './loose';

/** What a controller asks for, checked and normalised: all that is read from the body of a create. */
export interface Intake {
  readonly srid: string;
  /** The id as it was sent, where that is not `srid`. */
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
  /** Key of the own extension, the processor domain of that version. */
  readonly extensionKey: string;
  /** The same of the other versions that are served. */
  readonly otherKeys: readonly string[];
  /** What is wrong with a callback URL, without repeating it; undefined: nothing. */
  readonly callbackUrlFault: (url: string) => string | undefined;
}

/**
 * Reads the body of a create (interface.md, "Request"; protocol-notes). Throws a 400 ApiError that names all faults at
 * once, by path and never by value.
 */
export function readIntake(json: unknown, rules: IntakeRules): Intake {
  const faults: Fault[] = [];
  const fields = fieldsOf<CreateRequestDto>(json);
  if (!fields) throw badRequest([invalid('The body must be a JSON object.')]);
  const given = withCutLists(fields, MAX_IDENTITIES);
  const { hasRegulation } = rules.version;
  // Where the body has a field of that name of its own, ours wins: it is not the controller's to set.
  const dto = collecting(faults, () => validateBody(CreateRequestDto, { ...given, hasRegulation }));
  checkApiVersion(given, rules, faults);
  checkKeys(given, rules, faults);
  const identities = allIdentities(given, rules, faults);
  const callbackUrls = checkedUrls(given, rules, faults);
  if (!dto || faults.length > 0) throw badRequest(faults);
  return {
    ...idOf(dto.subject_request_id),
    type: dto.subject_request_type,
    ...(hasRegulation && dto.regulation && { regulation: dto.regulation }),
    submittedTime: parseIso8601(dto.submitted_time) as Date,
    // An empty group is none, as clients send it.
    groupId: dto.group_id || null,
    identities,
    callbackUrls,
  };
}

function idOf(sent: string): Pick<Intake, 'srid' | 'sentId'> {
  const srid = sent.toLowerCase();
  return { srid, ...(sent !== srid && { sentId: sent }) };
}

/** An empty version is none, as clients send it. */
function checkApiVersion({ api_version }: Loose<CreateRequestDto>, { version }: IntakeRules, faults: Fault[]): void {
  const isOther = typeof api_version === 'string' && api_version !== '' && api_version !== version.apiVersion;
  if (isOther) faults.push(invalid(`api_version must be ${version.apiVersion} at this address`));
}

/** A key that is nearly ours was meant for us: what stands under it would be ignored, and nobody would know. */
function checkKeys({ extensions }: Loose<CreateRequestDto>, { extensionKey, otherKeys }: IntakeRules, faults: Fault[]): void {
  const ours = [extensionKey, ...otherKeys].map((key) => key.toLowerCase());
  const isNear = ([key, value]: [string, unknown]) => !isNothing(value) && key !== extensionKey && ours.includes(key.trim().toLowerCase().replace(/\.$/, ''));
  const isMeantForUs = Object.entries(fieldsOf<Record<string, unknown>>(extensions) ?? {}).some(isNear);
  if (isMeantForUs) faults.push(invalid(`extensions holds a key that is nearly ours, or ours at another address: here it is extensions.${extensionKey}, spelt so`));
}

function allIdentities({ subject_identities: subject, extensions }: Loose<CreateRequestDto>, { extensionKey: key }: IntakeRules, faults: Fault[]): Identity[] {
  const extension = ownExtension(extensions, key, faults);
  const counts = [subject, extension.mpids, extension.identities].map((list) => elementsOf(list).length);
  const isTooMany = counts.every((count) => count <= MAX_IDENTITIES) && counts.reduce((sum, count) => sum + count) > MAX_IDENTITIES;
  if (isTooMany) faults.push(invalid(`subject_identities and extensions.${key} must contain no more than ${MAX_IDENTITIES} identities together`));
  const isEmpty = [subject, extension.mpids, extension.identities].every(isNothing);
  if (isEmpty) faults.push(invalid(`subject_identities is required unless extensions.${key} names identities`));
  return identitySet([...subjectIdentities(subject, key, faults), ...extensionIdentities(extension, `extensions.${key}`, faults)]);
}

function checkedUrls({ status_callback_urls }: Loose<CreateRequestDto>, { callbackUrlFault }: IntakeRules, faults: Fault[]): string[] {
  const urls = elementsOf(status_callback_urls).slice(0, MAX_CALLBACK_URLS);
  const texts = urls.flatMap((url, n) => {
    if (typeof url !== 'string') return [];
    const fault = isWellFormed(url) ? callbackUrlFault(url) : 'is not a URL';
    if (fault !== undefined) faults.push(invalid(`status_callback_urls[${n}] ${fault}`));
    return [url];
  });
  return [...new Set(texts)];
}

/** The own extension as it came, the faults of its shape named. Null is taken for nothing, as clients send it. */
function ownExtension(extensions: unknown, key: string, faults: Fault[]): Loose<ExtensionDto> {
  const all = fieldsOf<Record<string, unknown>>(extensions) ?? {};
  const own = Object.hasOwn(all, key) ? (all[key] ?? undefined) : undefined;
  if (own === undefined) return {};
  const fields = fieldsOf<ExtensionDto>(own);
  const cut = fields && withCutLists(fields, MAX_IDENTITIES);
  collecting(faults, () => validateBody(ExtensionDto, cut, `extensions.${key}`));
  return cut ?? {};
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
