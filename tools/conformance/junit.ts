import type { Row } from './run';

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (letter) => ENTITIES[letter] ?? letter);

/** The rows as a JUnit report: a suite for each version, a case for each rule. */
export function junitOf(rows: readonly Row[]): string {
  const suites = [...new Set(rows.map(({ version }) => version))].map((version) =>
    suiteOf(
      version,
      rows.filter((row) => row.version === version),
    ),
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join('')}</testsuites>\n`;
}

function suiteOf(version: string, rows: readonly Row[]): string {
  const count = (outcome: Row['outcome']) => String(rows.filter((row) => row.outcome === outcome).length);
  const counts = `tests="${String(rows.length)}" failures="${count('failed')}" skipped="${count('n/a')}"`;
  return `<testsuite name="version ${version}" ${counts}>\n${rows.map(caseOf).join('')}</testsuite>\n`;
}

function caseOf({ id, section, title, outcome, detail = '' }: Row): string {
  const inner = {
    passed: '',
    failed: `<failure message="${escaped(detail)}"/>`,
    'n/a': `<skipped message="${escaped(detail)}"/>`,
  }[outcome];
  return `<testcase classname="${escaped(section)}" name="${escaped(`${id}: ${title}`)}">${inner}</testcase>\n`;
}
