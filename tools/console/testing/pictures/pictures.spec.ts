import { readdirSync, readFileSync } from 'node:fs';
import { routes } from '@opendsr-service/console';
import { repository } from '../../../e2e/repository';
import { PICTURES_FOLDER, readManifest, sourcesOfPages } from './kept';
import { PICTURES } from './pictures';

const MOST_BYTES = 2_000_000;
const WIDTH_AT = 16;
const files = () => readdirSync(repository(PICTURES_FOLDER)).filter((name) => name.endsWith('.png'));
const bytesOf = (file: string) => readFileSync(repository(PICTURES_FOLDER, file));

it('every page has a picture, and every picture a page', () => {
  const pages = new Set(PICTURES.map(({ page }) => page));
  expect(routes.map(({ name }) => name).filter((name) => !pages.has(name))).toEqual([]);
  expect(files().sort()).toEqual(PICTURES.map(({ name }) => `${name}.png`).sort());
});

it('no picture is older than the sources of its page: npm run pictures', () => {
  const [sources, manifest] = [sourcesOfPages(), readManifest()];
  expect(PICTURES.filter(({ name, page }) => manifest[name] !== sources.get(page)).map(({ name }) => name)).toEqual([]);
});

it('pictures are 1280 px wide, and small together', () => {
  expect(files().filter((file) => bytesOf(file).readUInt32BE(WIDTH_AT) !== 1280)).toEqual([]);
  expect(files().reduce((sum, file) => sum + bytesOf(file).length, 0)).toBeLessThan(MOST_BYTES);
});

it('every picture stands in a page of the docs', () => {
  const pages = readdirSync(repository('docs/guides')).filter((name) => name.endsWith('.md'));
  const text = pages.map((name) => readFileSync(repository('docs/guides', name), 'utf8')).join('\n');
  expect(files().filter((file) => !text.includes(`](../pictures/${file})`))).toEqual([]);
});
