import {
  constants,
  createCipheriv,
  createDecipheriv,
  createHmac,
  generateKeyPairSync,
  privateDecrypt,
  randomBytes,
  randomUUID,
} from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface StubKey {
  readonly KeyId: string;
  readonly Origin: string;
  readonly bytes: Buffer;
  KeyState: string;
}

type Fields = Readonly<Record<string, string>>;

class Refusal extends Error {
  constructor(override readonly name: string) {
    super('planted-name');
  }
}

const ACCESS_KEY = 'AKIDSTUB';

/** As much of the API of AWS KMS as the service uses, with the states that its documentation gives to keys. */
export class KmsStub {
  readonly accessKey = ACCESS_KEY;
  readonly calls: string[] = [];
  readonly keys = new Map<string, StubKey>();
  readonly aliases = new Map<string, string>();
  /** Answers a call in place of the stub: the name of an exception, or undefined. */
  refuse: (operation: string, fields: Fields) => string | undefined = () => undefined;
  private readonly wrapping = generateKeyPairSync('rsa', { modulusLength: 2048 });

  private constructor(private readonly server: Server) {}

  static async start(): Promise<KmsStub> {
    const server = createServer();
    const stub = new KmsStub(server);
    server.on('request', (request, response) => {
      const operation = String(request.headers['x-amz-target']).replace('TrentService.', '');
      void text(request).then((body) => {
        const { status, answer } = stub.answer(operation, String(request.headers.authorization), body);
        response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(answer));
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

  private answer(operation: string, authorization: string, body: string): { status: number; answer: object } {
    this.calls.push(operation);
    try {
      if (!authorization.startsWith(`AWS4-HMAC-SHA256 Credential=${ACCESS_KEY}/`))
        throw new Refusal('UnrecognizedClientException');
      const fields = JSON.parse(body) as Fields;
      const refused = this.refuse(operation, fields);
      if (refused !== undefined) throw new Refusal(refused);
      return { status: 200, answer: this.operations[operation]?.(fields) ?? {} };
    } catch (error) {
      const { name, message } = error as Error;
      return { status: /Internal/.test(name) ? 500 : 400, answer: { __type: name, message } };
    }
  }

  private readonly operations: Readonly<Record<string, (fields: Fields) => object | undefined>> = {
    CreateKey: ({ Origin = 'AWS_KMS' }) => {
      const KeyState = Origin === 'EXTERNAL' ? 'PendingImport' : 'Enabled';
      const key = { KeyId: randomUUID(), Origin, KeyState, bytes: randomBytes(32) };
      this.keys.set(key.KeyId, key);
      return { KeyMetadata: { KeyId: key.KeyId } };
    },
    DescribeKey: (fields) => {
      const { KeyId, KeyState } = this.key(fields);
      return { KeyMetadata: { KeyId, KeyState } };
    },
    CreateAlias: ({ AliasName = '', TargetKeyId = '' }) => {
      if (this.aliases.has(AliasName)) throw new Refusal('AlreadyExistsException');
      this.aliases.set(AliasName, TargetKeyId);
      return undefined;
    },
    DeleteAlias: ({ AliasName = '' }) => {
      if (!this.aliases.delete(AliasName)) throw new Refusal('NotFoundException');
      return undefined;
    },
    GetParametersForImport: () => ({
      PublicKey: this.wrapping.publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
      ImportToken: 'dG9rZW4=',
    }),
    ImportKeyMaterial: (fields) => {
      const { privateKey: key } = this.wrapping;
      const options = { key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' };
      privateDecrypt(options, Buffer.from(fields['EncryptedKeyMaterial'] ?? '', 'base64')).copy(this.key(fields).bytes);
      this.key(fields).KeyState = 'Enabled';
      return undefined;
    },
    DeleteImportedKeyMaterial: (fields) => {
      const key = this.key(fields);
      key.bytes.fill(0);
      if (key.KeyState !== 'PendingDeletion') key.KeyState = 'PendingImport';
      return undefined;
    },
    ScheduleKeyDeletion: (fields) => {
      const key = this.key(fields);
      if (key.KeyState === 'PendingDeletion') throw new Refusal('KMSInvalidStateException');
      key.KeyState = 'PendingDeletion';
      return undefined;
    },
    GenerateMac: (fields) => {
      const message = Buffer.from(fields['Message'] ?? '', 'base64');
      return { Mac: createHmac('sha256', this.usable(fields).bytes).update(message).digest('base64') };
    },
    Encrypt: (fields) => {
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', this.usable(fields).bytes, iv).setAAD(contextOf(fields));
      const body = Buffer.concat([cipher.update(Buffer.from(fields['Plaintext'] ?? '', 'base64')), cipher.final()]);
      return { CiphertextBlob: Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64') };
    },
    Decrypt: (fields) => {
      const blob = Buffer.from(fields['CiphertextBlob'] ?? '', 'base64');
      try {
        const opened = createDecipheriv('aes-256-gcm', this.usable(fields).bytes, blob.subarray(0, 12))
          .setAAD(contextOf(fields))
          .setAuthTag(blob.subarray(12, 28));
        return { Plaintext: Buffer.concat([opened.update(blob.subarray(28)), opened.final()]).toString('base64') };
      } catch {
        throw new Refusal('InvalidCiphertextException');
      }
    },
  };

  private key({ KeyId = '' }: Fields): StubKey {
    const key = this.keys.get(this.aliases.get(KeyId) ?? KeyId);
    if (!key) throw new Refusal('NotFoundException');
    return key;
  }

  private usable(fields: Fields): StubKey {
    const key = this.key(fields);
    if (key.KeyState === 'Disabled') throw new Refusal('DisabledException');
    if (key.KeyState !== 'Enabled') throw new Refusal('KMSInvalidStateException');
    return key;
  }
}

const contextOf = ({ EncryptionContext }: Fields): Buffer => Buffer.from(JSON.stringify(EncryptionContext));
