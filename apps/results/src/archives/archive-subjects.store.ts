import { declareCollection, idPrefixRange } from '@opendsr-service/storage';
import type { Collection, Connection } from 'mongoose';
import type { Build } from './chunks.store';

interface ArchiveSubject extends Build {
  /** `<ws>:<subject>|<srid>|<build>` */
  readonly _id: string;
}

/**
 * Which subjects (blind indexes) each build holds (decision 14). Entries belong to one build, so that a builder that
 * lost its claim removes only its own.
 */
export class ArchiveSubjectsStore {
  private readonly entries: Collection<ArchiveSubject>;

  constructor(connection: Connection) {
    this.entries = declareCollection(connection, 'archiveSubjects', [{ fields: { ws: 1, srid: 1 } }]);
  }

  async add(build: Build, subjects: readonly string[]): Promise<void> {
    const { ws, srid } = build;
    const entries = [...new Set(subjects)].map((subject) => ({
      _id: `${ws}:${subject}|${srid}|${build.build}`,
      ws,
      srid,
      build: build.build,
    }));
    if (entries.length > 0) await this.entries.insertMany(entries);
  }

  buildsOf(ws: string, subject: string): AsyncIterable<Build> {
    return this.entries.find({ _id: idPrefixRange(`${ws}:${subject}`), ws });
  }

  async remove(ws: string, srid: string): Promise<void> {
    await this.entries.deleteMany({ ws, srid });
  }

  async removeBuild({ ws, srid, build }: Build): Promise<void> {
    await this.entries.deleteMany({ ws, srid, build });
  }
}
