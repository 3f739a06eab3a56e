import { readFileSync } from 'node:fs';
import { int, text } from '@opendsr-service/config';
import { APPS } from '../chart/settings/apps';
import { repository } from '../e2e/repository';
import { configurationText } from './configuration';
import { SECTIONS } from './sections';

const kept = readFileSync(repository('docs/configuration.md'), 'utf8');
const one = [{ title: 'All', intro: 'It.', takes: /./ }];

it('docs/configuration.md says what the code reads', () => {
  if (kept !== configurationText())
    throw new Error('docs/configuration.md is behind the code, or was changed by hand: run npm run reference');
});

it.each(Object.entries(APPS))('names every setting of %s once', (_app, { table }) => {
  for (const name of Object.keys(table)) expect(kept.split(`| \`${name}\` |`)).toHaveLength(2);
});

it('has no empty chapter', () => {
  for (const { title } of SECTIONS) expect(kept).toMatch(new RegExp(`^## ${title}\n.*\n\n\\|.*\n\\|.*\n\\| \``, 'm'));
});

it('shows kind, default, bounds of meaning, and who reads it', () => {
  const shared = int({ default: 5, min: 1, max: 9, meaning: 'How many | of them.' });
  const shown = configurationText(
    { gateway: { COUNT: shared }, results: { COUNT: shared, NAME: text({ required: true, meaning: 'As whom.' }) } },
    one,
  );
  expect(shown).toContain('| `COUNT` | whole number 1 to 9 | `5` | How many \\| of them. | g s |');
  expect(shown).toContain('| **must be set** | As whom. | s |');
});

it('refuses a setting that no chapter takes, and one name with two meanings', () => {
  expect(() => configurationText({ gateway: { STRANGE: text({ meaning: 'What?' }) } })).toThrow('takes STRANGE');
  expect(() =>
    configurationText({ gateway: { A: text({ meaning: 'one' }) }, results: { A: text({ meaning: 'two' }) } }, one),
  ).toThrow('A means one thing to results and another to gateway');
});
