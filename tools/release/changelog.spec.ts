import { changelogSection } from './changelog';

const changelog =
  '# Changelog\n\n## Unreleased\n\n- next\n\n## [1.1.0] - 2026-01-02\n\n### For controllers\n\n- new\n\n## 1.0.0\n\n- first\n';

it('takes the section of the version, up to the next one', () => {
  expect(changelogSection(changelog, '1.1.0')).toBe('### For controllers\n\n- new\n');
  expect(changelogSection(changelog, '1.0.0')).toBe('- first\n');
});

it('takes what is unreleased for a version without a section', () => {
  expect(changelogSection(changelog, '2.0.0')).toBe('- next\n');
});

it('refuses a release without a word of what changes', () => {
  expect(() => changelogSection('# Changelog\n\n## Unreleased\n\n## 1.0.0\n\n- first\n', '2.0.0')).toThrow(
    'CHANGELOG.md has no section for 2.0.0, and Unreleased is empty',
  );
});
