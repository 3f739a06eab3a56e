import { declareCollection } from '@opendsr-service/storage';
import type { DataKey } from '@opendsr-service/vault';
import type { Collection, Connection } from 'mongoose';

export interface Build {
  readonly ws: string;
  readonly srid: string;
  readonly build: string;
}

interface ChunkDocument extends Build {
  readonly _id: string;
  readonly sealed: string;
}

/** The bytes of archives in sealed chunks. The seal covers the position, so that chunks cannot be swapped. */
export class ChunksStore {
  private readonly chunks: Collection<ChunkDocument>;

  constructor(connection: Connection) {
    this.chunks = declareCollection(connection, 'chunks', [{ fields: { ws: 1, srid: 1 } }]);
  }

  async write({ ws, srid, build }: Build, n: number, key: DataKey, bytes: Buffer): Promise<void> {
    const sealed = key.seal(sealContextOf(ws, srid, build, n), bytes);
    await this.chunks.insertOne({ _id: idOf(ws, srid, build, n), ws, srid, build, sealed });
  }

  /** Throws if a chunk is missing or altered. */
  async *read({ ws, srid, build }: Build, count: number, key: DataKey): AsyncGenerator<Buffer> {
    for (let n = 0; n < count; n += 1) {
      const chunk = await this.chunks.findOne({ _id: idOf(ws, srid, build, n), ws });
      if (!chunk) throw new Error('a chunk of an archive is missing');
      yield key.open(sealContextOf(ws, srid, build, n), chunk.sealed);
    }
  }

  async remove(ws: string, srid: string): Promise<void> {
    await this.chunks.deleteMany({ ws, srid });
  }

  async removeBuild({ ws, srid, build }: Build): Promise<void> {
    await this.chunks.deleteMany({ ws, srid, build });
  }
}

const idOf = (ws: string, srid: string, build: string, n: number): string => `${ws}:${srid}:${build}:${n}`;
const sealContextOf = (ws: string, srid: string, build: string, n: number) => ({
  ws,
  subject: srid,
  field: `chunk-${build}-${n}`,
});
