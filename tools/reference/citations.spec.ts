import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { CATALOGUE } from '../conformance/catalogue';
import { repository } from '../e2e/repository';
import { citationsOf, sectionsOf, strayPapersOf, type Citation } from './citations';

const OWN = /^(tools\/reference\/citations(\.spec)?\.ts|package-lock\.json)$/;
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: repository(),
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => /\.(ts|[cm]?js|json|md|ya?ml|tpl|txt|sh)$/.test(path) && !OWN.test(path))
  .filter((path) => existsSync(repository(path)));
const textOf = (path: string): string => readFileSync(repository(path), 'utf8');

const DECISIONS = new Map(
  readdirSync(repository('docs/decisions'))
    .filter((name) => /^\d{4}-/.test(name))
    .map((name) => [Number(name.slice(0, 4)), name]),
);
const SECTIONS = sectionsOf(textOf('docs/protocol.md'));
const exists = (citation: Citation): boolean =>
  'decision' in citation ? DECISIONS.has(citation.decision) : SECTIONS.has(citation.section);

describe('the papers', () => {
  it('that are cited are in the repository: each decision, and each section of docs/protocol.md', () => {
    const missing = files.flatMap((path) =>
      citationsOf(textOf(path))
        .filter((citation) => !exists(citation))
        .map((citation) => ({ path, ...citation })),
    );
    expect(missing).toEqual([]);
  });

  it('are never those of another place', () => {
    const stray = files.flatMap((path) => strayPapersOf(textOf(path)).map((paper) => `${path}: ${paper}`));
    expect(stray).toEqual([]);
  });

  it('hold a section for each rule of the conformance suite', () => {
    expect(CATALOGUE.map(({ section }) => section).filter((section) => !SECTIONS.has(section))).toEqual([]);
  });

  it('number the decisions without a gap, and list each of them once', () => {
    expect([...DECISIONS.keys()].sort((a, b) => a - b)).toEqual([...DECISIONS.keys()].map((_, index) => index + 1));
    const index = textOf('docs/decisions/README.md');
    for (const [number, name] of DECISIONS) {
      expect(index.split(`[${String(number)}](${name})`)).toHaveLength(2);
      expect(textOf(`docs/decisions/${name}`)).toMatch(new RegExp(`^# ${String(number)}\\. `));
    }
  });

  it.each([...DECISIONS.values()])('%s has a context, a decision, consequences, and what was tried', (name) => {
    const titles = [...textOf(`docs/decisions/${name}`).matchAll(/^## (.+)$/gm)].map(([, title]) => title);
    expect(titles).toEqual(['Context', 'Decision', 'Consequences', 'What was tried']);
  });
});

describe('a citation', () => {
  it('is found alone and in lists, over broken lines and in JSON', () => {
    expect(citationsOf('(decisions 4, 8 and 9; protocol, "Times")')).toEqual([
      { decision: 4 },
      { decision: 8 },
      { decision: 9 },
      { section: 'Times' },
    ]);
    expect(citationsOf('/**\n * As said (protocol,\n * "Order of\n * callbacks", "429").\n */')).toEqual([
      { section: 'Order of callbacks' },
      { section: '429' },
    ]);
    expect(citationsOf('{ "description": "Protocol, \\"Request\\"." }')).toEqual([{ section: 'Request' }]);
  });

  it('of a decision or a section that is not there is refused', () => {
    expect(citationsOf('(decision 99; protocol, "No such section")').map(exists)).toEqual([false, false]);
  });

  it('of a paper outside is refused', () => {
    expect(
      strayPapersOf('D4, (D11; interface.md, "X"), protocol-notes, the protocol\n * notes, see design.md'),
    ).toEqual(['D4', 'D11', 'interface.md', 'protocol-notes', 'protocol notes', 'design.md']);
    expect(strayPapersOf('decision 4, docs/design.md, 3D, MD5')).toEqual([]);
  });
});
