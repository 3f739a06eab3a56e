import { randomBytes, type KeyObject } from 'node:crypto';
import { mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { GenerationSecrets } from './generation-secrets';
import { makePrivateFile, syncFolder } from './private-file';
import { MasterWrap } from './master-wrap';
import { VaultError } from './vault-error';

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? (error as Error).name;

/**
 * The secrets of generations as files of a folder that all processes share, each wrapped by the master key. A destroyed
 * file is overwritten before it is removed.
 */
export class GenerationFiles implements GenerationSecrets {
  private readonly master: MasterWrap;

  constructor(
    private readonly folder: string,
    masterKey: KeyObject,
  ) {
    this.master = new MasterWrap(masterKey);
  }

  async create(generation: number): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const { by, wrapped } = this.master.wrapNewKey(secretId(generation));
    await makePrivateFile(this.fileOf(generation), `${by} ${wrapped}\n`);
  }

  async read(generation: number): Promise<KeyObject | undefined> {
    const text = await readFile(this.fileOf(generation), 'utf8').catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw this.fault(generation, `cannot be read (${codeOf(error)})`);
    });
    if (text === undefined) return undefined;
    const [by = '', wrapped = ''] = text.trim().split(' ');
    return this.master.open(secretId(generation), { by, wrapped });
  }

  async destroy(generation: number): Promise<void> {
    const file = this.fileOf(generation);
    try {
      const handle = await open(file, 'r+');
      try {
        const { size } = await handle.stat();
        await handle.write(randomBytes(size), 0, size, 0);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rm(file);
      await syncFolder(this.folder);
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw this.fault(generation, `cannot be destroyed (${codeOf(error)})`);
    }
  }

  private fileOf(generation: number): string {
    return join(this.folder, `generation-${generation}.key`);
  }

  private fault(generation: number, what: string): VaultError {
    return new VaultError('generation-files', `the file ${this.fileOf(generation)} ${what}`);
  }
}

const secretId = (generation: number): string => `generation:${generation}`;
