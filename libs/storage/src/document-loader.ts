import type { Collection } from 'mongoose';
import { CallJoiner } from './call-joiner';

/** The embedded store seeks each of a list only up to 256 of them. */
const MAX_LOADS = 200;

interface Address {
  readonly _id: string;
  readonly ws: string;
}

/** Loads documents by id and workspace. Concurrent loads share one query; null: there is no such document. */
export class DocumentLoader<D extends Address, K extends keyof D = keyof D> {
  private readonly loads = new CallJoiner((page: readonly Address[]) => this.loadAll(page), MAX_LOADS);

  /** `fields`: all that is read of a document, `ws` among them. Default: the whole document. */
  constructor(
    private readonly collection: Collection<D>,
    private readonly fields?: Readonly<Record<K | 'ws', 1>>,
  ) {}

  load(_id: string, ws: string): Promise<Pick<D, K | keyof Address> | null> {
    return this.loads.call({ _id, ws });
  }

  /** Those of these ids that are there, each once, in this order. */
  async loadMany(ids: readonly string[], ws: string): Promise<Pick<D, K | keyof Address>[]> {
    const found = await Promise.all([...new Set(ids)].map((_id) => this.load(_id, ws)));
    return found.filter((document) => document !== null);
  }

  private async loadAll(page: readonly Address[]): Promise<(Pick<D, K | keyof Address> | null)[]> {
    const _id = { $in: [...new Set(page.map((one) => one._id))] };
    const ws = { $in: [...new Set(page.map((one) => one.ws))] };
    const found = (await this.collection
      .find({ _id, ws } as Parameters<Collection<D>['find']>[0], this.fields && { projection: { ...this.fields } })
      .toArray()) as unknown as Pick<D, K | keyof Address>[];
    const byId = new Map(found.map((document) => [document._id, document]));
    return page.map((one) => {
      const document = byId.get(one._id);
      return document?.ws === one.ws ? document : null;
    });
  }
}
