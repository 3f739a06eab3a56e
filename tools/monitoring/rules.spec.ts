import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repository } from '../e2e/repository';
import { CASES, PLAIN_CASES, testedRules } from './alert-tests';
import { chartGroups, plainGroups, plainRulesPath, rulesOf, withoutRelease } from './rules';
import { representative } from '../testing/form';
import { describeWithPromtool, promtool } from './testing/with-promtool';

it('takes what is said of a release out of an expression, and nothing else', () => {
  expect(withoutRelease('sum(a{namespace="n", service=~"s-.*", b="c", d!~"e,}"}) > max(f{namespace="n"}) / g')).toBe(
    'sum(a{b="c", d!~"e,}"}) > max(f) / g',
  );
});

it('tries each alert of the chart on series that fire it and on some that do not', () => {
  expect(CASES.map(({ alert }) => alert).sort()).toEqual(
    rulesOf(chartGroups())
      .map(({ alert }) => alert)
      .sort(),
  );
  expect(CASES.filter(({ silent }) => silent.length === 0)).toEqual([]);
});

describeWithPromtool('the rules', () => {
  const all = [...testedRules(chartGroups(), CASES), ...testedRules(plainGroups(), PLAIN_CASES)];
  const ofTheChart = testedRules(chartGroups(), representative(CASES, 6));
  const plain = testedRules(plainGroups(), representative(PLAIN_CASES, 12));
  let folder: string;
  const at = (file: string) => join(folder, file);

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'opendsr-rules-'));
    for (const [file, text] of [
      ...all.map(({ rules }) => rules),
      ...[...ofTheChart, ...plain].map(({ tests }) => tests),
    ])
      writeFileSync(at(file), text);
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('are taken by Prometheus, of the chart and without the operator', () => {
    expect(
      promtool.checkRules([...all.map(({ rules: [file] }) => at(file)), repository(plainRulesPath)]),
    ).toMatchObject({ ok: true });
  });

  it('fire when they should, with labels and a description that name what it is about, and are silent just below', () => {
    expect(promtool.testRules(ofTheChart.map(({ tests: [file] }) => at(file)))).toMatchObject({
      ok: true,
    });
  });

  it('do so in a Prometheus without the operator, which adds no labels of the release', () => {
    expect(promtool.testRules(plain.map(({ tests: [file] }) => at(file)))).toMatchObject({ ok: true });
  });
});
