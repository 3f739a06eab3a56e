// What the image holds of others: a bill of materials and the texts of the licences, of exactly the packages whose code is in
// the bundle. The same bundle gives the same bytes.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const allowed = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'ISC', 'MIT'];

const mit = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation
files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy,
modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software
is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES
OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE
LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN
CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

/** Packages that name a licence and ship no text of it. Another version is checked again. */
const textsOf = { 'abstract-logging@2.0.1': `The MIT License\n\nCopyright (c) James Sumners\n\n${mit}` };

/** The same, of a repository whose text another of its packages ships, in the folder beside. */
const textsBeside = {
  '@aws-sdk/credential-provider-http@3.972.87': 'client-kms',
  '@aws-sdk/credential-provider-login@3.972.93': 'client-kms',
  '@aws-sdk/nested-clients@3.998.4': 'client-kms',
};

const byRef = (a, b) => (a.ref < b.ref ? -1 : 1);
const read = (...path) => readFileSync(join(...path), 'utf8');
const isText = (name) => /licen[cs]e|^copying|^notice/i.test(name) && !/\.([cm]?[jt]s|json|map)$/i.test(name);

/** The folder of the package that a module is of; `undefined` for the service's own. The bundler's helpers are code of the bundler. */
function folderOf(id, root) {
  if (id.startsWith('\0')) return join(root, 'node_modules/rolldown');
  return /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0];
}

function packageIn(folder, locked) {
  const { name, version, license } = JSON.parse(read(folder, 'package.json'));
  return { ref: `${name}@${version}`, name, version, license, folder, integrity: locked?.integrity };
}

function licenceText({ ref, folder }) {
  const texts = readdirSync(folder).filter(isText).sort();
  if (texts.length > 0) return texts.map((name) => read(folder, name).trim()).join('\n\n');
  return textsBeside[ref] ? read(folder, '..', textsBeside[ref], 'LICENSE').trim() : textsOf[ref];
}

/** Why a package may not be in the image. */
function faultOf(one) {
  if (!one.license) return `${one.ref} names no licence`;
  if (!allowed.includes(one.license))
    return `${one.ref} is under ${one.license}, which is not among ${allowed.join(', ')}`;
  return licenceText(one) ? undefined : `${one.ref} has no text of its licence`;
}

const component = ({ ref, name, version, license, integrity }) => ({
  type: 'library',
  'bom-ref': ref,
  name,
  version,
  ...(integrity && {
    hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex') }],
  }),
  licenses: [{ license: { id: license } }],
  purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
});

/** CycloneDX without time and serial number, which would differ from build to build. */
function billOf({ name, version, license }, packages, edges) {
  const ref = `${name}@${version}`;
  const bill = {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      lifecycles: [{ phase: 'build' }],
      component: { type: 'application', 'bom-ref': ref, name, version, licenses: [{ license: { id: license } }] },
    },
    components: packages.map(component),
    dependencies: [ref, ...packages.map((one) => one.ref)].map((from) => ({
      ref: from,
      dependsOn: [...(edges.get(from) ?? [])].sort(),
    })),
  };
  return `${JSON.stringify(bill, null, 2)}\n`;
}

const line = '='.repeat(80);
const noticesOf = (packages) =>
  `Packages whose code is in the files of this folder, with their licences. Node's are in LICENSE.node.txt.\n${packages
    .map((one) => `\n${line}\n${one.ref} (${one.license})\n${line}\n\n${licenceText(one)}\n`)
    .join('')}`;

/** Whose code imports whose. */
function edgesOf(modules, refOf, importsOf) {
  const edges = new Map();
  for (const id of modules) {
    const from = refOf(id);
    const to = importsOf(id).map(refOf);
    edges.set(from, new Set([...(edges.get(from) ?? []), ...to].filter((ref) => ref !== undefined && ref !== from)));
  }
  return edges;
}

const modulesOf = (bundle) =>
  Object.values(bundle).flatMap((chunk) => (chunk.type === 'chunk' ? Object.keys(chunk.modules) : []));

/**
 * `also`: folders of packages whose files lie beside the bundle. `runtime`: that of Node, whose licence the Dockerfile copies.
 * A build fails on a package without a licence, without its text, or with one that is not allowed.
 */
export const thirdParties = ({ root, also = [], runtime }) => ({
  name: 'third-parties',
  generateBundle(_options, bundle) {
    const modules = modulesOf(bundle);
    const { packages: lock } = JSON.parse(read(root, 'package-lock.json'));
    const folders = new Set([...modules.map((id) => folderOf(id, root)), ...also, runtime].filter(Boolean));
    const inFolder = new Map([...folders].map((folder) => [folder, packageIn(folder, lock[relative(root, folder)])]));
    // One version may lie in several folders.
    const packages = [...new Map([...inFolder.values()].map((one) => [one.ref, one])).values()].sort(byRef);
    const withText = packages.filter(({ folder }) => folder !== runtime);
    const faults = withText.map(faultOf).filter(Boolean);
    if (faults.length > 0) this.error(faults.join('\n'));

    const ours = JSON.parse(read(root, 'package.json'));
    const own = `${ours.name}@${ours.version}`;
    const refOf = (id) => {
      const folder = folderOf(id, root);
      return folder === undefined && id.startsWith(root) ? own : inFolder.get(folder)?.ref;
    };
    const importsOf = (id) => {
      // The bundler's own helpers have none.
      const { importedIds = [], dynamicallyImportedIds = [] } = this.getModuleInfo(id) ?? {};
      return [...importedIds, ...dynamicallyImportedIds];
    };
    const edges = edgesOf(modules, refOf, importsOf);
    for (const folder of [...also, runtime].filter(Boolean)) edges.get(own).add(inFolder.get(folder).ref);
    this.emitFile({ type: 'asset', fileName: 'sbom.cdx.json', source: billOf(ours, packages, edges) });
    this.emitFile({ type: 'asset', fileName: 'THIRD-PARTY-LICENSES.txt', source: noticesOf(withText) });
  },
});
