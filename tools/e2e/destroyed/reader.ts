import { createDecipheriv, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { GenerationFiles, loadMasterKey } from '@opendsr-service/vault';
import type { PlantedText } from '../planted';
import type { Copied } from './copies';

const IV_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
/** The shortest sealed text that can hold a planted one. */
const SEALED = /[A-Za-z0-9+/]{68,}={0,2}/g;
const ZIP = Buffer.from('PK\u0003\u0004');

export interface KeyFiles {
  readonly masterKeyFile: string;
  readonly generationFolder: string;
}

/** Where something was opened. */
export type Opened = ReadonlySet<string>;

/** A reader with all keys that still exist, who knows every form, and tries them on everything that was ever copied. */
export class Reader {
  private constructor(
    private readonly masterKey: KeyObject,
    private readonly secrets: readonly KeyObject[],
  ) {}

  static async withKeysOf({ masterKeyFile, generationFolder }: KeyFiles): Promise<Reader> {
    const masterKey = await loadMasterKey(masterKeyFile);
    const generations = new GenerationFiles(generationFolder, masterKey);
    const numbers = (await readdir(generationFolder)).map((name) => Number(/^generation-(\d+)\.key/.exec(name)?.[1]));
    const secrets = await Promise.all(numbers.map((generation) => generations.read(generation)));
    return new Reader(
      masterKey,
      secrets.flatMap((secret) => secret ?? []),
    );
  }

  /** Where a planted text or an archive opens. */
  opens({ items, keyDocuments }: Copied, planted: PlantedText): Opened {
    const keys = this.keysIn(keyDocuments);
    const tried = new Map<string, boolean>();
    const isOpened = (sealed: string): boolean => {
      const known = tried.get(sealed) ?? keys.some((key) => isPlanted(opened(key, sealed), planted));
      tried.set(sealed, known);
      return known;
    };
    const places = items.flatMap(({ where, bytes }) => {
      const found = bytes.toString('latin1').match(SEALED) ?? [];
      return found.some(isOpened) ? [where] : [];
    });
    return new Set(places);
  }

  /** The master key, what it wraps, and every data key that any of them opens. */
  private keysIn(documents: readonly unknown[]): KeyObject[] {
    const wrapped = documents.flatMap((document) => [...wrappedIn(document)]);
    const workspaces = [...new Set(wrapped.flatMap(({ ws }) => ws ?? []))];
    const roots = wrapped.flatMap(
      ({ id, by, bytes }) => unwrapped(this.masterKey, `root-key|${id}|${by}`, bytes) ?? [],
    );
    const ofGenerations = this.secrets.flatMap((secret) =>
      workspaces.map((ws) =>
        createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', `workspace|${ws}`, KEY_BYTES))),
      ),
    );
    const wrappers = [this.masterKey, ...roots, ...ofGenerations];
    const dataKeys = wrapped.flatMap(({ id, by, bytes }) =>
      workspaces.flatMap((ws) =>
        wrappers.flatMap((wrapper) => unwrapped(wrapper, `data-key|${ws}|${id}|${by}`, bytes) ?? []),
      ),
    );
    return [...wrappers, ...dataKeys];
  }
}

interface Wrapped {
  readonly id: string;
  readonly ws: string | undefined;
  readonly by: string;
  readonly bytes: string;
}

/** Wrapped keys in a document, or in an entry of the oplog, which names the document beside what changed of it. */
function* wrappedIn(value: unknown, id = ''): Generator<Wrapped> {
  if (typeof value !== 'object' || value === null) return;
  const { _id, o2, ws, by, wrapped } = value as Readonly<Record<string, unknown>>;
  const named = [(o2 as { _id?: unknown } | undefined)?._id, _id].find((one) => typeof one === 'string') ?? id;
  if (typeof wrapped === 'string')
    yield { id: named, ws: typeof ws === 'string' ? ws : undefined, by: String(by), bytes: wrapped };
  for (const child of Object.values(value)) yield* wrappedIn(child, named);
}

function unwrapped(wrapper: KeyObject, aad: string, wrapped: string): KeyObject | undefined {
  const bytes = Buffer.from(wrapped, 'base64');
  if (bytes.length !== IV_BYTES + KEY_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', wrapper, bytes.subarray(0, IV_BYTES))
    .setAAD(Buffer.from(aad))
    .setAuthTag(bytes.subarray(-TAG_BYTES));
  const key = decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES));
  try {
    decipher.final();
    return createSecretKey(key);
  } catch {
    return undefined;
  }
}

/** GCM encrypts in counter mode: without the tag nobody needs to know what a value is bound to. */
function opened(key: KeyObject, sealed: string): Buffer {
  const bytes = Buffer.from(sealed, 'base64');
  const counter = Buffer.concat([bytes.subarray(0, IV_BYTES), Buffer.from([0, 0, 0, 2])]);
  return createDecipheriv('aes-256-ctr', key, counter).update(bytes.subarray(IV_BYTES, -TAG_BYTES));
}

const isPlanted = (bytes: Buffer, planted: PlantedText): boolean =>
  bytes.subarray(0, ZIP.length).equals(ZIP) || bytes.includes(planted.text);
