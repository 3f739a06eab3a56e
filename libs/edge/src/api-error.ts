/** One reason of an error answer. The message never repeats a value that the caller sent. */
export interface Fault {
  domain: string;
  reason: string;
  message: string;
}

type Headers = Readonly<Record<string, string>>;

/** The most faults that an answer names, unless it is given room for more. */
export const namedFaults = 100;
/** The number of faults after which a check of a body stops: one more than an answer names. */
export const enoughFaults = namedFaults + 1;

const firstOf = (faults: readonly Fault[], most: number): readonly Fault[] =>
  faults.length > most ? [...faults.slice(0, most), invalid('There are more faults, which are not named.')] : faults;
const countOf = (faults: readonly Fault[], most: number): string =>
  faults.length > most ? `more than ${most}` : String(faults.length);

/** An expected answer other than success, without a stack. */
export class ApiError extends Error {
  readonly faults: readonly Fault[];

  constructor(
    readonly status: number,
    faults: readonly Fault[],
    readonly headers: Headers = {},
    most = namedFaults,
  ) {
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
    super(faults.length === 1 ? faults[0]?.message : `The request has ${countOf(faults, most)} faults.`);
    Error.stackTraceLimit = limit;
    this.name = 'ApiError';
    this.faults = firstOf(faults, most);
  }
}

const named = (domain: string, reason: string, message: string): Fault => ({ domain, reason, message });

/** The default fault of a status. Other 4xx read as 400, the rest as 500. */
export const faultOf: Readonly<Record<number, Fault>> = {
  400: named('Validation', 'IllegalArgumentException', 'The request is not valid.'),
  401: named('Authentication', 'InvalidCredentialsException', 'The credentials are not valid.'),
  403: named('Authentication', 'AccessDeniedException', 'The credentials do not allow this.'),
  404: named('Request', 'NotFoundException', 'Nothing is known under this address.'),
  405: named('Http', 'MethodNotAllowedException', 'This address does not take this method.'),
  408: named('Http', 'RequestTimeoutException', 'The request took too long to arrive.'),
  409: named(
    'Request',
    'ConflictException',
    'A request for the same identities, extensions and type is already in progress.',
  ),
  410: named('Request', 'GoneException', 'What was here is no longer available.'),
  412: named('Http', 'PreconditionFailedException', 'It has changed since it was read: read it again.'),
  413: named('Http', 'PayloadTooLargeException', 'The body is too large.'),
  414: named('Http', 'UriTooLongException', 'The address is too long.'),
  415: named('Http', 'UnsupportedMediaTypeException', 'The content type must be application/json.'),
  417: named('Http', 'ExpectationFailedException', 'The expectation cannot be met.'),
  428: named('Http', 'PreconditionRequiredException', 'The header If-Match must name the entity tag that was read.'),
  429: named('Limits', 'TooManyRequestsException', 'Too many requests.'),
  431: named('Http', 'HeadersTooLargeException', 'The headers are too large.'),
  500: named('Service', 'InternalErrorException', 'The service failed to answer.'),
  503: named('Service', 'UnavailableException', 'The service cannot answer now.'),
};

export function errorOfStatus(status: number, headers?: Headers): ApiError {
  const known = faultOf[status] ? status : status >= 400 && status < 500 ? 400 : 500;
  return new ApiError(known, [faultOf[known] as Fault], headers);
}

const withMessage = (status: number, message?: string, headers?: Headers): ApiError =>
  message === undefined
    ? errorOfStatus(status, headers)
    : new ApiError(status, [{ ...(faultOf[status] as Fault), message }], headers);

const retryAfter = (seconds: number): Headers => ({ 'retry-after': String(Math.max(1, Math.ceil(seconds))) });

export const invalid = (message: string): Fault => named('Validation', 'IllegalArgumentException', message);
export const badRequest = (faults: readonly Fault[]): ApiError => new ApiError(400, faults);
/** 400 of an operation that the state of a request or group does not allow (protocol, "Errors"). */
export const invalidOperation = (message: string): ApiError =>
  badRequest([named('Validation', 'InvalidOperationException', message)]);
export const alreadyExists = (): ApiError => invalidOperation('The subject request already exists.');
export const unauthorized = (): ApiError =>
  errorOfStatus(401, { 'www-authenticate': 'Basic realm="dsr", charset="UTF-8"' });
export const forbidden = (): ApiError => errorOfStatus(403);
export const notFound = (message?: string): ApiError => withMessage(404, message);
export const conflict = (message?: string): ApiError => withMessage(409, message);
export const gone = (message?: string): ApiError => withMessage(410, message);
export const preconditionFailed = (): ApiError => errorOfStatus(412);
export const preconditionRequired = (): ApiError => errorOfStatus(428);
export const tooManyRequests = (retryAfterSeconds: number): ApiError =>
  errorOfStatus(429, retryAfter(retryAfterSeconds));
export const unavailable = (retryAfterSeconds: number): ApiError => errorOfStatus(503, retryAfter(retryAfterSeconds));
export const unsupportedMediaType = (message?: string, headers?: Headers): ApiError =>
  withMessage(415, message, headers);
export const methodNotAllowed = (methods: readonly string[]): ApiError =>
  errorOfStatus(405, { allow: methods.join(', ') });
