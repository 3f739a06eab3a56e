import type { Collection } from 'mongoose';
import { CallJoiner } from './call-joiner';

/** The embedded store seeks each of a list only up to 256 of them. */
const MAX_LOADS = 200;

interface Address {
  readonly _id: string;
  readonly ws: string;
}

/** Loads documents by id and workspace. Concurrent loads share one query; null: there is no such document. */
export class DocumentLoader<D extends Address> {
  private readonly loads = new CallJoiner((page: readonly Address[]) => this.loadAll(page), MAX_LOADS);

  constructor(private readonly collection: Collection<D>) {}

  load(_id: string, ws: string): Promise<D | null> {
    return this.loads.call({ _id, ws });
  }

  private async loadAll(page: readonly Address[]): Promise<(D | null)[]> {
    const _id = { $in: [...new Set(page.map((one) => one._id))] };
    const ws = { $in: [...new Set(page.map((one) => one.ws))] };
    const found = (await this.collection
      .find({ _id, ws } as Parameters<Collection<D>['find']>[0])
      .toArray()) as unknown as D[];
    const byId = new Map(found.map((document) => [document._id, document]));
    return page.map((one) => {
      const document = byId.get(one._id);
      return document?.ws === one.ws ? document : null;
    });
  }
}
