import { createSecretKey, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Agent, request } from 'undici';
import type { GenerationSecrets } from './generation-secrets';
import { generationNames, KeyServiceAway, type KeyService } from './key-service';
import { trustedAuthorities } from './trusted-authorities';
import { VaultError } from './vault-error';

export interface TransitOptions {
  readonly url: string;
  /** Trusted in addition to Node's authorities. */
  readonly caFile?: string | undefined;
  readonly tokenFile: string;
  readonly mount: string;
  /** Seals the master key. */
  readonly key: string;
}

interface Call {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: object;
}

interface Answer {
  readonly status: number;
  readonly data: Fields;
  /** 404 without an error: nothing has the name. Where there is no such mount, 404 comes with one. */
  readonly isMissing: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

const TIMEOUT_MS = 10_000;
const SECRET_BYTES = 32;
const KEY_TYPE = 'aes256-gcm96';
/** An administrator may rotate a transit key. The secret of a generation is that of its first version. */
const VERSION = 1;
const INPUT = Buffer.from('opendsr generation').toString('base64');
const NOT_FOUND = 404;

/** The transit engine of HashiCorp Vault or OpenBao. */
export class TransitService implements KeyService {
  private agent: Agent | undefined;

  constructor(private readonly options: TransitOptions) {}

  generationsOf(masterKey: KeyObject): GenerationSecrets {
    const names = generationNames(this.options.key, masterKey);
    return {
      create: (generation) => this.createKey(`${names}-${generation}`),
      read: (generation) => this.readSecret(`${names}-${generation}`),
      destroy: (generation) => this.deleteKey(`${names}-${generation}`),
    };
  }

  async seal(bytes: Buffer): Promise<string> {
    await this.createKey(this.options.key);
    const body = { plaintext: bytes.toString('base64') };
    const { data } = await this.well({ method: 'POST', path: `encrypt/${this.options.key}`, body });
    return textOf(data, 'ciphertext');
  }

  async unseal(sealed: string): Promise<Buffer> {
    const body = { ciphertext: sealed };
    const { data } = await this.well({ method: 'POST', path: `decrypt/${this.options.key}`, body });
    return Buffer.from(textOf(data, 'plaintext'), 'base64');
  }

  /** Changes nothing where the key exists. */
  private async createKey(name: string): Promise<void> {
    await this.well({ method: 'POST', path: `keys/${name}`, body: { type: KEY_TYPE } });
  }

  private async readSecret(name: string): Promise<KeyObject | undefined> {
    if (!(await this.exists(name))) return undefined;
    const body = { input: INPUT, key_version: VERSION };
    const { data } = await this.well({ method: 'POST', path: `hmac/${name}/sha2-256`, body });
    const secret = Buffer.from(textOf(data, 'hmac').split(':').at(-1) ?? '', 'base64');
    if (secret.length !== SECRET_BYTES) throw new VaultError('key-service', 'the key service answers no HMAC-SHA256');
    return createSecretKey(secret);
  }

  private async deleteKey(name: string): Promise<void> {
    if (!(await this.exists(name))) return;
    await this.well({ method: 'POST', path: `keys/${name}/config`, body: { deletion_allowed: true } });
    await this.well({ method: 'DELETE', path: `keys/${name}` });
    if (await this.exists(name)) throw new VaultError('key-service', `the key service has not deleted ${name}`);
  }

  private async exists(name: string): Promise<boolean> {
    const call = { method: 'GET', path: `keys/${name}` } as const;
    const { status, isMissing } = await this.call(call);
    if (status === NOT_FOUND && !isMissing) throw refusal(call, status);
    return !isMissing;
  }

  private async well(call: Call): Promise<Answer> {
    const answer = await this.call(call);
    if (answer.status === NOT_FOUND) throw refusal(call, answer.status);
    return answer;
  }

  /** Answers of the service are not repeated in errors: they may hold what was sent. */
  private async call(call: Call): Promise<Answer> {
    const { url, mount } = this.options;
    const { statusCode, text } = await request(`${url}/v1/${mount}/${call.path}`, {
      dispatcher: await this.dispatcher(),
      method: call.method,
      headers: {
        'x-vault-token': await this.token(),
        'x-vault-request': 'true',
        ...(call.body && { 'content-type': 'application/json' }),
      },
      ...(call.body && { body: JSON.stringify(call.body) }),
    })
      .then(async (answer) => ({ statusCode: answer.statusCode, text: await answer.body.text() }))
      .catch((error: unknown) => {
        throw new KeyServiceAway('the key service does not answer', { cause: error });
      });
    if (statusCode >= 500 || statusCode === 429) throw new KeyServiceAway(`the key service answers ${statusCode}`);
    if (statusCode >= 300 && statusCode !== NOT_FOUND) throw refusal(call, statusCode);
    const { data, errors } = fieldsOf(text);
    const isMissing = statusCode === NOT_FOUND && Array.isArray(errors) && errors.length === 0;
    return { status: statusCode, data: isFields(data) ? data : {}, isMissing };
  }

  private async dispatcher(): Promise<Agent> {
    if (this.agent) return this.agent;
    const ca = await trustedAuthorities(this.options.caFile);
    return (this.agent ??= new Agent({
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
      connect: { timeout: TIMEOUT_MS, rejectUnauthorized: true, ...(ca && { ca }) },
    }));
  }

  private async token(): Promise<string> {
    const { tokenFile } = this.options;
    return (
      await readFile(tokenFile, 'utf8').catch(() => {
        throw new VaultError('key-service', `the file of the key service’s token, ${tokenFile}, cannot be read`);
      })
    ).trim();
  }
}

const refusal = ({ method, path }: Call, status: number): VaultError =>
  new VaultError('key-service', `the key service answers ${status} to ${method} ${path}`);

function fieldsOf(text: string): Fields {
  if (text === '') return {};
  try {
    const fields: unknown = JSON.parse(text);
    return isFields(fields) ? fields : {};
  } catch {
    throw new VaultError('key-service', 'the key service answers no JSON');
  }
}

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

function textOf(data: Fields, name: string): string {
  const value = data[name];
  if (typeof value !== 'string') throw new VaultError('key-service', `the key service answers no ${name}`);
  return value;
}
