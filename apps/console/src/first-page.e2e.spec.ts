import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const MOST_BYTES = 350 * 1_024;
const dist = join(__dirname, '../dist');

interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}

const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>;

/** The files that a chunk needs before it runs. */
function filesOf(name: string, seen = new Set<string>()): Set<string> {
  const chunk = manifest[name];
  if (!chunk) throw new Error(`the build has no ${name}`);
  if (seen.has(chunk.file)) return seen;
  for (const file of [chunk.file, ...(chunk.css ?? [])]) seen.add(file);
  for (const further of chunk.imports ?? []) filesOf(further, seen);
  return seen;
}

const firstPage = (): Set<string> =>
  new Set(['index.html', ...filesOf('index.html'), ...filesOf('src/pages/overview/overview-page.tsx')]);

const zippedBytes = (file: string): number => gzipSync(readFileSync(join(dist, file))).length;

it('loads the first page with 350 KiB of compressed files at most', () => {
  const files = firstPage();
  const bytes = [...files].reduce((sum, file) => sum + zippedBytes(file), 0);
  console.log(`the first page: ${files.size} files, ${(bytes / 1_024).toFixed(0)} KiB compressed`);
  expect(bytes).toBeLessThanOrEqual(MOST_BYTES);
});

it('reads the chart and its library after the first page', () => {
  const [chart = ''] = filesOf('src/pages/overview/throughput-chart.tsx');
  expect(readFileSync(join(dist, chart), 'utf8')).toContain('bandwidth');
  expect([...firstPage()]).not.toContain(chart);
});

it('holds nothing that needs Node', () => {
  const scripts = readdirSync(join(dist, 'assets')).filter((name) => name.endsWith('.js'));
  expect(scripts).not.toEqual([]);
  for (const name of scripts)
    expect(readFileSync(join(dist, 'assets', name), 'utf8')).not.toContain('browser-external');
});

it('has one page without inline script or style, whose files are its own', () => {
  const page = readFileSync(join(dist, 'index.html'), 'utf8');
  expect(page).not.toMatch(/<style|<script(?![^>]*\ssrc=)|\son\w+=|\sstyle=/);
  const addresses = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address);
  expect(addresses).toContainEqual(expect.stringMatching(/\.js$/));
  for (const address of addresses) expect(address).toMatch(/^\/console\//);
});
