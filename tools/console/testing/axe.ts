import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

/** WCAG 2.2 AA, and what axe advises beyond it. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What axe found on a page. */
export interface Findings {
  /** Rules with at least one element that they hold for. */
  readonly passes: number;
  /** Rules that axe could not decide. */
  readonly undecided: number;
  /** Each element that breaks a rule: the rule, the element, what is wrong. */
  readonly violations: readonly string[];
}

/** Runs all rules on what the page shows now. The script goes in beside the page’s own policy, as a debugger does. */
export async function findingsOn(page: Page): Promise<Findings> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe.source);
  const options = JSON.stringify({ runOnly: { type: 'tag', values: TAGS }, resultTypes: ['violations', 'incomplete'] });
  const results = await page.evaluate<AxeResults>(`axe.run(document, ${options})`);
  return {
    passes: results.passes.length,
    undecided: results.incomplete.length,
    violations: results.violations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ target, failureSummary = '' }) => `${id} at ${target.join(' ')}: ${help} (${failureSummary})`),
    ),
  };
}
