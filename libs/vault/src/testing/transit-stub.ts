import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface StubKey {
  /** The oldest first. */
  readonly versions: Buffer[];
  isDeletable: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

interface Answer {
  readonly status: number;
  readonly data?: object;
  readonly errors?: readonly string[];
}

const TOKEN = 'stub-token';
/** What has no such mount answers 404 as well, with an error. */
const NOT_FOUND: Answer = { status: 404, errors: [] };
const REFUSED: Answer = { status: 400 };
const DONE: Answer = { status: 204 };

/** As much of the transit engine of Vault as the service uses, by its documentation. */
export class TransitStub {
  readonly token = TOKEN;
  readonly mount = 'team/transit';
  readonly keys = new Map<string, StubKey>();
  /** Answers a call in place of the stub: with a status, or undefined. */
  refuse: (method: string, path: string) => number | undefined = () => undefined;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<TransitStub> {
    const server = createServer();
    const stub = new TransitStub(server);
    server.on('request', (request, response) => {
      void text(request).then((body) => {
        const { status, data, errors = ['planted-name'] } = stub.answer(request, body);
        response.writeHead(status).end(status === 204 ? undefined : JSON.stringify({ data, errors }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return stub;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  /** What an administrator may do. */
  rotate(name: string): void {
    this.keys.get(name)?.versions.push(randomBytes(32));
  }

  private answer({ method = '', url = '', headers }: IncomingMessage, body: string): Answer {
    if (headers['x-vault-token'] !== TOKEN) return { status: 403 };
    const path = url.slice(`/v1/${this.mount}/`.length);
    const refused = this.refuse(method, path);
    return refused === undefined ? this.done(method, path, body) : { status: refused };
  }

  private done(method: string, path: string, body: string): Answer {
    const [operation, name, more] = path.split('/') as [string, string, string?];
    if (operation === 'keys' && more === undefined) return this.keyCalls[method]?.(name) ?? REFUSED;
    const key = this.keys.get(name);
    const work = this.operations[operation];
    return key && work ? work(key, JSON.parse(body) as Fields) : REFUSED;
  }

  private readonly keyCalls: Readonly<Record<string, (name: string) => Answer>> = {
    GET: (name) => (this.keys.has(name) ? { status: 200, data: { name } } : NOT_FOUND),
    POST: (name) => {
      if (!this.keys.has(name)) this.keys.set(name, { versions: [randomBytes(32)], isDeletable: false });
      return { status: 200, data: { name } };
    },
    DELETE: (name) => {
      if (this.keys.get(name)?.isDeletable !== true) return REFUSED;
      this.keys.delete(name);
      return DONE;
    },
  };

  private readonly operations: Readonly<Record<string, (key: StubKey, fields: Fields) => Answer>> = {
    /** Of a key: its configuration. */
    keys: (key, { deletion_allowed: isDeletable }) => {
      key.isDeletable = isDeletable === true;
      return DONE;
    },
    encrypt: ({ versions }, { plaintext }) => {
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', versions.at(-1)!, iv);
      const body = Buffer.concat([cipher.update(Buffer.from(plaintext as string, 'base64')), cipher.final()]);
      const sealed = Buffer.concat([iv, body, cipher.getAuthTag()]).toString('base64');
      return { status: 200, data: { ciphertext: `vault:v${versions.length}:${sealed}` } };
    },
    decrypt: ({ versions }, { ciphertext }) => {
      const [, version, sealed = ''] = /^vault:v(\d+):(.*)$/.exec(ciphertext as string) ?? [];
      const [bytes, secret] = [Buffer.from(sealed, 'base64'), versions[Number(version) - 1]];
      if (!secret || bytes.length < 28) return REFUSED;
      try {
        const opened = createDecipheriv('aes-256-gcm', secret, bytes.subarray(0, 12)).setAuthTag(bytes.subarray(-16));
        const plaintext = Buffer.concat([opened.update(bytes.subarray(12, -16)), opened.final()]).toString('base64');
        return { status: 200, data: { plaintext } };
      } catch {
        return REFUSED;
      }
    },
    hmac: ({ versions }, { input, key_version: version = versions.length }) => {
      const secret = versions[Number(version) - 1];
      if (!secret) return REFUSED;
      const hmac = createHmac('sha256', secret)
        .update(Buffer.from(input as string, 'base64'))
        .digest('base64');
      return { status: 200, data: { hmac: `vault:v${Number(version)}:${hmac}` } };
    },
  };
}
