import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TopicShape } from './additive';
import type { Message, Topic } from './today';

/** A record as a version of the service wrote it; `value` is the decoded message. */
export interface Golden {
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly value: Message;
}

export const MANIFEST = 'SHA256SUMS';
const SCHEMAS = 'schemas';

export const fileOf = (line: string): string => line.slice(line.indexOf('  ') + 2);

export class Goldens {
  constructor(readonly folder: string) {}

  /** From `<topic>.<type>.<version>[.<what>].json`. */
  messages() {
    return this.jsonIn('.').map((file) => {
      const [topic, type, version, ...what] = file.split('.').slice(0, -1) as [Topic, string, string, ...string[]];
      return { file, topic, type, version, what: what.join(' '), golden: this.read(file) as Golden };
    });
  }

  shapes(topic: Topic): TopicShape[] {
    const recorded = this.jsonIn(SCHEMAS).filter((file) => file.startsWith(`${topic}.v1.`));
    return recorded.map((_file, n) => this.read(this.shapeFile(topic, n + 1)) as TopicShape);
  }

  shapeFile = (topic: Topic, n: number): string => `${SCHEMAS}/${topic}.v1.${String(n)}.json`;

  lines(): string[] {
    const files = [...this.jsonIn('.'), ...this.jsonIn(SCHEMAS).map((file) => `${SCHEMAS}/${file}`)];
    return files.map(
      (file) =>
        `${createHash('sha256')
          .update(readFileSync(join(this.folder, file)))
          .digest('hex')}  ${file}`,
    );
  }

  manifest = (): string[] => readFileSync(join(this.folder, MANIFEST), 'utf8').split('\n').filter(Boolean);

  private jsonIn = (folder: string): string[] =>
    readdirSync(join(this.folder, folder)).filter((file) => file.endsWith('.json'));

  private read = (file: string): unknown => JSON.parse(readFileSync(join(this.folder, file), 'utf8'));
}
