/** A relative link of a page: the file that it names, and the heading in it. */
interface Link {
  readonly file: string;
  readonly anchor: string | undefined;
}

const withoutCode = (page: string): string =>
  page.replaceAll(/^ *```[\s\S]*?^ *```/gm, '').replaceAll(/`[^`\n]*`/g, '');

/** Links of a Markdown page to files of the repository. */
export const linksOf = (page: string): readonly Link[] =>
  [...withoutCode(page).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [file = '', anchor] = target.split('#', 2);
      return { file, anchor };
    });

/** What GitHub makes of a heading, so that links can name it. */
const anchorOf = (heading: string): string =>
  heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

/** The headings of a Markdown page as links name them. */
export const anchorsOf = (page: string): ReadonlySet<string> => {
  const headings = page.replaceAll(/^ *```[\s\S]*?^ *```/gm, '').matchAll(/^#{1,6} +(.+?) *$/gm);
  return new Set([...headings].map(([, heading = '']) => anchorOf(heading)));
};

/** Files of the repository that a page names in code, with their folder. */
export const pathsOf = (page: string): readonly string[] =>
  [...page.matchAll(/`((?:apps|libs|tools|docker|docs)\/[\w./-]+)`/g)].map(([, path = '']) => path);
