import { mkdir, writeFile } from 'node:fs/promises';
import { languages, routes, type RouteName } from '@opendsr-service/console';
import { repository } from '../e2e/repository';
import { findingsOn, type Findings } from './testing/axe';
import { FULL } from './testing/full';
import { placesOf } from './testing/places-of-routes';
import type { Look } from './testing/visitor';
import { enterSandbox, visiting, type Rule } from './testing/world';

const FOLDER = 'reports/console';
const looks: readonly Look[] = (['light', 'dark'] as const).flatMap((theme) =>
  languages.map((language) => ({ theme, language })),
);
/** The short form shows each page in one look, all looks in turn. */
const looksOf = (at: number): readonly Look[] => (FULL ? looks : looks.slice(at % looks.length).slice(0, 1));

/** Every page there is, with data: what axe finds, what the browser complains of, and a picture. */
export function accessibilityRules(rule: Rule): void {
  const found = new Map<string, Findings>();
  routes.forEach(({ name }, at) => {
    for (const look of looksOf(at))
      rule(`${name} is accessible in ${look.theme} and ${look.language}`, async (world) => {
        const places = await placesOf(world);
        await visiting(await enterSandbox(world, look), async (visitor) => {
          await visitor.open(`/console${places.get(name) ?? ''}`);
          const findings = await findingsOn(visitor.page);
          found.set(pictureOf(name, look), findings);
          await visitor.page.screenshot({ path: repository(FOLDER, `${pictureOf(name, look)}.png`) });
          expect(findings.violations).toEqual([]);
        });
      });
  });
  beforeAll(() => mkdir(repository(FOLDER), { recursive: true }));
  afterAll(() => writeFile(repository(FOLDER, 'axe.json'), JSON.stringify(Object.fromEntries(found), undefined, 2)));
}

const pictureOf = (name: RouteName, { theme, language }: Look): string => `${name}-${theme}-${language}`;
