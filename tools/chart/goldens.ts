import { existsSync, readFileSync } from 'node:fs';
import { repository } from '../e2e/repository';
import { chartFolder, type Helm, type Outcome } from './helm';
import { manifestsOf, type Manifest } from './manifest';

/** The value files whose renders are kept, so that a change of a template shows what it changes. */
export const GOLDENS = ['minimal', 'production', 'everything', 'standalone'] as const;
export type Golden = (typeof GOLDENS)[number];

export const valuesOf = (golden: Golden): string => `${chartFolder()}/ci/${golden}-values.yaml`;
export const goldenFile = (golden: Golden): string => repository(`tools/chart/golden/${golden}.yaml`);

/** One line at the end, and none that are only spaces. Helm 4 has an empty line before each separator, Helm 3 has none. */
const tidy = (text: string): string =>
  `${text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replaceAll('\n\n---\n', '\n---\n')
    .trim()}\n`;

export function renderGolden(helm: Helm, golden: Golden): Outcome {
  const outcome = helm.template({ files: [valuesOf(golden)] });
  return outcome.ok ? { ok: true, text: tidy(outcome.text) } : outcome;
}

/** The kept render; golden.spec.ts proves that it is what the chart renders today, so the other specs need no helm for it. */
export const goldenText = (golden: Golden): string =>
  existsSync(goldenFile(golden)) ? readFileSync(goldenFile(golden), 'utf8') : '';

const parsed = new Map<Golden, readonly Manifest[]>();

/** Its objects, parsed once. */
export function goldenObjects(golden: Golden): readonly Manifest[] {
  const objects = parsed.get(golden) ?? manifestsOf(goldenText(golden));
  parsed.set(golden, objects);
  return objects;
}
