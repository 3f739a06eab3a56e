/**
 * The section of one version in a changelog of the form "Keep a Changelog", without its heading. A version that is not
 * there yet gets the section `Unreleased`. Throws where neither has a line.
 */
export function changelogSection(changelog: string, version: string): string {
  const sections = new Map(
    changelog
      .split(/^## /m)
      .slice(1)
      .map((section): [string, string] => {
        const [heading = '', ...lines] = section.split('\n');
        return [/^\[?([^\]\s]+)/.exec(heading)?.[1] ?? '', lines.join('\n').trim()];
      }),
  );
  const section = sections.get(version) ?? sections.get('Unreleased');
  if (!section) throw new Error(`CHANGELOG.md has no section for ${version}, and Unreleased is empty`);
  return `${section}\n`;
}
