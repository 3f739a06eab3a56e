import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TopicShape } from './additive';
import type { Message, Topic } from './today';

/** A record as a version of the service wrote it; `value` is what its codec makes of it. */
export interface Golden {
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly value: Message;
}

export const MANIFEST = 'SHA256SUMS';
const SCHEMAS = 'schemas';

/** The file that a line of the manifest is about. */
export const fileOf = (line: string): string => line.slice(line.indexOf('  ') + 2);

/** The folder of all that was ever written: golden messages, the shapes that topics had, and the manifest of both. */
export class Goldens {
  constructor(readonly folder: string) {}

  /** Every golden message, from `<topic>.<type>.<version>[.<what>].json`. */
  messages() {
    return this.jsonIn('.').map((file) => {
      const [topic, type, version, ...what] = file.split('.').slice(0, -1) as [Topic, string, string, ...string[]];
      return { file, topic, type, version, what: what.join(' '), golden: this.read(file) as Golden };
    });
  }

  /** The shapes that a topic had, the oldest first. */
  shapes(topic: Topic): TopicShape[] {
    const recorded = this.jsonIn(SCHEMAS).filter((file) => file.startsWith(`${topic}.v1.`));
    return recorded.map((_file, n) => this.read(this.shapeFile(topic, n + 1)) as TopicShape);
  }

  /** The file of the nth shape of a topic. */
  shapeFile = (topic: Topic, n: number): string => `${SCHEMAS}/${topic}.v1.${String(n)}.json`;

  /** The line of each file, as `sha256sum` writes it. */
  lines(): string[] {
    const files = [...this.jsonIn('.'), ...this.jsonIn(SCHEMAS).map((file) => `${SCHEMAS}/${file}`)];
    return files.map(
      (file) =>
        `${createHash('sha256')
          .update(readFileSync(join(this.folder, file)))
          .digest('hex')}  ${file}`,
    );
  }

  /** The lines that the manifest holds, in the order in which they came. */
  manifest = (): string[] => readFileSync(join(this.folder, MANIFEST), 'utf8').split('\n').filter(Boolean);

  private jsonIn = (folder: string): string[] =>
    readdirSync(join(this.folder, folder)).filter((file) => file.endsWith('.json'));

  private read = (file: string): unknown => JSON.parse(readFileSync(join(this.folder, file), 'utf8'));
}
