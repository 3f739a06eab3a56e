import { mkdir, writeFile } from 'node:fs/promises';
import { languages, routes } from '@opendsr-service/console';
import { repository } from '../e2e/repository';
import { findingsOn, type Findings } from './testing/axe';
import { FULL } from './testing/full';
import { placesOf } from './testing/places-of-routes';
import { runMarkupOn } from './testing/run-markup';
import { THEMES, WIDTHS, type Visitor } from './testing/visitor';
import { enterSandbox, passing, type Rule } from './testing/world';

const FOLDER = 'reports/console';
/** Those of a list whose turn it is. */
const inTurn = <T>(all: readonly T[], at: number): readonly T[] =>
  FULL ? all : all.filter((_one, n) => n === at % all.length);
/** The short form shows each page in one language and one theme, in turn, and on a wide screen. */
const widths = FULL ? Object.entries(WIDTHS) : [['wide', WIDTHS.wide] as const];

/** Every page there is, with data: what axe finds, what the browser complains of, whether markup stays text, and in the full form pictures. */
export function accessibilityRules(rule: Rule): void {
  const found = new Map<string, Findings>();
  routes.forEach(({ name }, at) => {
    const themes = inTurn(THEMES, Math.floor(at / languages.length));
    for (const language of inTurn(languages, at))
      rule(`${name} is accessible in ${language}, ${themes.join(' and ')}, and keeps markup text`, async (world) => {
        const places = await placesOf(world);
        await passing(await enterSandbox(world, { theme: 'light', language }), async (visitor) => {
          await visitor.go(`/console${places.get(name) ?? ''}`);
          for (const [size, width] of widths)
            for (const theme of themes) {
              await visitor.look({ theme, width });
              const picture = [name, theme, language, size].join('-');
              const findings = await findingsOn(visitor.page);
              found.set(picture, findings);
              if (FULL) await visitor.page.screenshot({ path: repository(FOLDER, `${picture}.png`) });
              const wrong = [
                ...findings.violations,
                ...(await overflowOf(visitor)),
                ...(await runMarkupOn(visitor.page)),
              ];
              expect([picture, ...wrong]).toEqual([picture]);
            }
        });
      });
  });
  beforeAll(() => mkdir(repository(FOLDER), { recursive: true }));
  afterAll(() => writeFile(repository(FOLDER, 'axe.json'), JSON.stringify(Object.fromEntries(found), undefined, 2)));
}

/** WCAG 1.4.10: only tables and texts of machines, which have regions of their own, scroll sideways. */
async function overflowOf({ page }: Visitor): Promise<string[]> {
  const wide = await page.evaluate<number>(
    'document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth',
  );
  return wide > 0 ? [`the page is ${String(wide)} px wider than the screen`] : [];
}
