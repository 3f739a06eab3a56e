import { readdir, readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { repository } from '../e2e/repository';
import { phaseNames } from '../test/phases';

const text = (file: string) => readFile(repository(file), 'utf8');

it('the forge runs phases of `npm test` that exist, all but those that need a folder of programs', async () => {
  const workflow = parse(await text('.github/workflows/ci.yml')) as { jobs: { test: { steps: { run?: string }[] } } };
  const command = workflow.jobs.test.steps.map(({ run }) => run).find((run) => run?.includes('test -- --only'));
  expect(command?.split('--only ')[1]?.split(',')).toEqual(
    phaseNames.filter((name) => !['faults', 'cluster'].includes(name)),
  );
});

it('issue forms ask for something, each field with a label', async () => {
  const forms = (await readdir(repository('.github/ISSUE_TEMPLATE'))).filter((name) => name !== 'config.yml');
  expect(forms.length).toBeGreaterThan(1);
  for (const name of forms) {
    const form = parse(await text(`.github/ISSUE_TEMPLATE/${name}`)) as {
      name?: string;
      description?: string;
      body: { type: string; attributes: { label?: string } }[];
    };
    expect([typeof form.name, typeof form.description]).toEqual(['string', 'string']);
    const fields = form.body.filter(({ type }) => type !== 'markdown');
    expect(fields.length).toBeGreaterThan(0);
    expect(fields.filter(({ attributes }) => !attributes.label)).toEqual([]);
  }
});

it('what Renovate holds back is something that the repository depends on', async () => {
  const { packageRules } = JSON.parse(await text('renovate.json')) as {
    packageRules: { matchPackageNames?: string[]; matchFileNames?: string[] }[];
  };
  const lock = JSON.parse(await text('package-lock.json')) as { packages: Readonly<Record<string, unknown>> };
  const exact = packageRules.flatMap((rule) => rule.matchPackageNames ?? []).filter((name) => !name.includes('*'));
  expect(exact.filter((name) => !(`node_modules/${name}` in lock.packages))).toEqual([]);
  const files = packageRules.flatMap((rule) => rule.matchFileNames ?? []);
  for (const file of files) expect(await text(file)).not.toBe('');
});
