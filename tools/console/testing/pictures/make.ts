import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repository } from '../../../e2e/repository';
import { openBrowser } from '../browser';
import { placesOf } from '../places-of-routes';
import { startSandbox, type Place } from '../places';
import { signInByLink } from '../sign-in';
import { Visitor, type Identity } from '../visitor';
import { manifestPath, PICTURES_FOLDER, readManifest, sourcesOfPages, type Manifest } from './kept';
import { PICTURES, type Picture } from './pictures';
import { setScene, type Scene } from './scene';

// npm run pictures [NAME …]: makes the pictures of docs/pictures, all or these, by the built apps and the Chromium of
// DSR_TEST_CHROMIUM or of the PATH. Files that no picture has are removed.
const HEIGHT = 800;
const WIDTH = 1280;
const BESIDE = /\.png$/;

interface Studio {
  readonly sandbox: Place;
  readonly admin: Identity;
  readonly scene: Scene;
}

await using opened = new AsyncDisposableStack();
const browser = opened.adopt(await openBrowser(), (one) => one.close());
const sandbox = opened.adopt(await startSandbox({ OPERATOR_REVEAL_APPROVAL: 'true' }), ({ service }) => service.stop());
const scene = opened.adopt(await setScene(sandbox.service), (one) => one.close());
const admin = await signInByLink(browser, sandbox);
const studio = { sandbox, admin, scene };

const folder = repository(PICTURES_FOLDER);
await mkdir(folder, { recursive: true });
const asked = process.argv.slice(2);
const wanted = PICTURES.filter(({ name }) => asked.length === 0 || asked.includes(name));
for (const picture of wanted) {
  await take(studio, picture);
  process.stdout.write(`${picture.name}\n`);
}
const names = new Set(PICTURES.map(({ name }) => `${name}.png`));
for (const file of await readdir(folder)) if (BESIDE.test(file) && !names.has(file)) await rm(join(folder, file));
const sources = sourcesOfPages();
const taken = new Map(wanted.map(({ name, page }) => [name, sources.get(page) ?? '']));
const before: Manifest = asked.length === 0 ? {} : readManifest();
const manifest = Object.fromEntries(PICTURES.map(({ name }) => [name, taken.get(name) ?? before[name] ?? '']));
await writeFile(manifestPath(), `${JSON.stringify(manifest, undefined, 2)}\n`);

async function take(
  { sandbox: place, admin: identity, scene: { requests } }: Studio,
  { name, page: route, request, act, isPrinted = false }: Picture,
): Promise<void> {
  const filled = { failing: requests[request ?? 'failing'] };
  const path = (await placesOf({ sandbox: place, admin: identity, filled })).get(route) ?? '';
  const visitor = await Visitor.enter(browser, place.consoleUrl, { identity });
  const { page } = visitor;
  await page.setViewportSize({ width: WIDTH, height: HEIGHT });
  await visitor.open(`/console${path}`);
  await page.waitForLoadState('load');
  await act?.(visitor, studio.scene);
  if (isPrinted) await page.emulateMedia({ media: 'print' });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: isPrinted, animations: 'disabled' });
  await visitor.leave();
}
