import { readFile } from 'node:fs/promises';
import { repository } from '../e2e/repository';

/** The page whose lines are run as its reader would type them. */
const PAGE = 'docs/kubernetes.md';

async function block(language: string, after: string): Promise<string> {
  const page = await readFile(repository(PAGE), 'utf8');
  const at = page.indexOf(after);
  const found = at < 0 ? undefined : new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(page.slice(at))?.[1];
  if (found === undefined) throw new Error(`${PAGE} has no ${language} lines after "${after}"`);
  return found;
}

/** The shell lines of the page that follow a text. */
export const linesAfter = (text: string): Promise<string> => block('sh', text);

/** The values of the page that follow a text. */
export const valuesAfter = (text: string): Promise<string> => block('yaml', text);

/** Replaces what a reader replaces. A text that the page does not hold any more is an error. */
export function filledIn(lines: string, words: Readonly<Record<string, string>>): string {
  return Object.entries(words).reduce((text, [shown, meant]) => {
    if (!text.includes(shown)) throw new Error(`${PAGE} does not say "${shown}" any more`);
    return text.replaceAll(shown, meant);
  }, lines);
}
