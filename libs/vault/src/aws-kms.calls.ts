import { KMSClient, KMSServiceException } from '@aws-sdk/client-kms';
import { fromIni } from '@aws-sdk/credential-provider-ini';
import { KeyServiceAway } from './key-service';
import { trustedAuthorities } from './trusted-authorities';
import { VaultError } from './vault-error';

export interface AwsKmsOptions {
  readonly region: string;
  /** Absent: AWS's own in the region. */
  readonly url?: string | undefined;
  /** Trusted in addition to Node's authorities. */
  readonly caFile?: string | undefined;
  /** A file of AWS's shared credentials, of which the profile `default` counts. Absent: the default chain of the SDK. */
  readonly credentialsFile?: string | undefined;
  /** Alias of the key that seals the master key, without `alias/`. Names of generations begin with it. */
  readonly key: string;
}

const TIMEOUT_MS = 10_000;
/** So soon does a changed file of credentials count. */
const CREDENTIALS_MS = 60_000;
const WORD = /^\w{1,64}$/;
/** What KMS answers while it cannot work, beside its answers of 500 and more. */
const AWAY = /^(Throttling|LimitExceeded|KMSInternal|DependencyTimeout)/;

export async function openClient({ region, url, caFile, credentialsFile }: AwsKmsOptions): Promise<KMSClient> {
  const ca = await trustedAuthorities(caFile);
  return new KMSClient({
    region,
    ...(url !== undefined && { endpoint: url }),
    ...(credentialsFile !== undefined && { credentials: () => credentialsIn(credentialsFile) }),
    requestHandler: {
      connectionTimeout: TIMEOUT_MS,
      requestTimeout: TIMEOUT_MS,
      throwOnRequestTimeout: true,
      httpsAgent: { rejectUnauthorized: true, ...(ca && { ca }) },
    },
  });
}

/** The answer to a call, or a VaultError or KeyServiceAway. Messages of the service are not repeated: they may hold names. */
export async function answered<T>(operation: string, call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw faultOf(operation, error);
  }
}

/** The same; undefined where the service answers with one of these exceptions. */
export async function answeredUnless<T>(
  exceptions: readonly string[],
  operation: string,
  call: Promise<T>,
): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof KMSServiceException && exceptions.includes(error.name)) return undefined;
    throw faultOf(operation, error);
  }
}

function faultOf(operation: string, error: unknown): Error {
  if (error instanceof VaultError) return error;
  const { name = '', $metadata } = error as Partial<KMSServiceException>;
  if (name === 'CredentialsProviderError')
    return new VaultError('key-service', 'there are no credentials for the key service');
  const status = $metadata?.httpStatusCode;
  if (status === undefined) return new KeyServiceAway('the key service does not answer', { cause: error });
  const answer = WORD.test(name) ? name : String(status);
  return status >= 500 || AWAY.test(name)
    ? new KeyServiceAway(`the key service answers ${answer}`)
    : new VaultError('key-service', `the key service answers ${answer} to ${operation}`);
}

async function credentialsIn(filepath: string) {
  try {
    const read = await fromIni({ filepath, configFilepath: filepath, profile: 'default', ignoreCache: true })();
    return { ...read, expiration: read.expiration ?? new Date(Date.now() + CREDENTIALS_MS) };
  } catch {
    throw new VaultError(
      'key-service',
      `the file of the key service’s credentials, ${filepath}, does not hold a profile default with them`,
    );
  }
}
