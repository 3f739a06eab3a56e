import { idsBelow } from '@opendsr-service/storage';
import { Schema, type Collection, type Connection } from 'mongoose';

/** That a request which has ended is about a person. */
export interface EndedPerson {
  /** `<ws>:<person>|<srid>`: those of a person lie beside each other. */
  readonly _id: string;
  readonly ws: string;
  readonly srid: string;
  readonly endedAt: Date;
  /** It erased the person. */
  readonly isErasure?: true;
}

const endedPersonSchema = new Schema<EndedPerson>({ _id: String, ws: String, srid: String }, { strict: false, versionKey: false, autoIndex: false });
// The workspace comes last, so that look-ups by a range of ids are answered by the ids.
endedPersonSchema.index({ srid: 1, ws: 1 });

/** Whom the requests are about that have ended and whose keys live, by keyed hashes of their identities: a document for each, gone with the key. */
export class EndedPersonsStore {
  private readonly entries: Collection<EndedPerson>;

  constructor(connection: Connection) {
    const model = connection.models.EndedPerson ? connection.model<EndedPerson>('EndedPerson') : connection.model<EndedPerson>('EndedPerson', endedPersonSchema, 'endedPersons');
    this.entries = model.collection as unknown as Collection<EndedPerson>;
  }

  /** Notes persons of a request, as often as it is done. */
  async note({ ws, ...ended }: Omit<EndedPerson, '_id'>, persons: readonly string[]): Promise<void> {
    const writes = persons.map((person) => {
      const _id = `${ws}:${person}|${ended.srid}`;
      return { replaceOne: { filter: { _id, ws }, replacement: { _id, ws, ...ended }, upsert: true } };
    });
    if (writes.length > 0) await this.entries.bulkWrite(writes, { ordered: false });
  }

  /** What is noted of any of these persons. */
  async of(ws: string, persons: readonly string[]): Promise<EndedPerson[]> {
    const found = await Promise.all(persons.map((person) => this.entries.find({ _id: idsBelow(`${ws}:${person}`), ws }).toArray()));
    return found.flat();
  }

  async forget(ws: string, srids: readonly string[]): Promise<void> {
    await this.entries.deleteMany({ ws, srid: { $in: [...srids] } });
  }
}
