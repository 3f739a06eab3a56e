import { relative } from 'node:path';

const PACKAGE = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/;

/**
 * Writes down of which packages there is code or style in the bundle (`.vite/packages.json`, folders from the root of the repository),
 * so that the image can name them and their licences.
 */
export const packageFolders = (root) => ({
  name: 'package-folders',
  generateBundle(_options, bundle) {
    const code = Object.values(bundle).flatMap((chunk) => (chunk.type === 'chunk' ? Object.keys(chunk.modules) : []));
    const styles = [...this.getModuleIds()].filter((id) => /\.css(\?|$)/.test(id));
    const folders = [...code, ...styles].flatMap((id) => PACKAGE.exec(id.replace(/^\0/, ''))?.[0] ?? []);
    const source = JSON.stringify([...new Set(folders)].map((folder) => relative(root, folder)).sort());
    this.emitFile({ type: 'asset', fileName: '.vite/packages.json', source });
  },
});
