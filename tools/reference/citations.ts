/** A paper of the repository that a text cites: a decision by its number, or a section of docs/protocol.md by its title. */
export type Citation = { readonly decision: number } | { readonly section: string };

/** Comments break lines between the words of a citation, JSON escapes its quotes. */
const flat = (text: string): string => text.replaceAll(/\s*\n\s*(?:\*|\/\/)?\s*/g, ' ').replaceAll('\\"', '"');

/** All citations of a text, such as `decisions 4 and 9` and `protocol, "Times", "Limits"`. */
export function citationsOf(text: string): readonly Citation[] {
  const line = flat(text);
  const decisions = [...line.matchAll(/\bdecisions? (\d+(?:(?:, | and |, and )\d+)*)/gi)]
    .flatMap(([, numbers = '']) => numbers.match(/\d+/g) ?? [])
    .map((number) => ({ decision: Number(number) }));
  const sections = [...line.matchAll(/\bprotocol(?:\.md)?, ("[^"]+"(?:, "[^"]+")*)/gi)]
    .flatMap(([, titles = '']) => [...titles.matchAll(/"([^"]+)"/g)])
    .map(([, section = '']) => ({ section }));
  return [...decisions, ...sections];
}

/** Names of papers outside the repository, which a reader of the code cannot find. */
export const strayPapersOf = (text: string): readonly string[] =>
  flat(text).match(/\binterface\.md\b|\bprotocol[- ]notes\b|(?<![\w/-])design\.md\b|\bD\d{1,2}\b/g) ?? [];

/** The titles of a page's sections, as citations name them. */
export const sectionsOf = (page: string): ReadonlySet<string> =>
  new Set([...page.matchAll(/^#{2,6} +(.+?) *$/gm)].map(([, title = '']) => title.replaceAll('`', '')));
