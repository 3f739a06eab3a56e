import { stringify } from 'yaml';
import type { AlertCase, Firing, Scenario } from './cases/alert-case';
import { API } from './cases/api';
import { CALLBACKS } from './cases/callbacks';
import { LOG } from './cases/log';
import { PROCESSES } from './cases/processes';
import { REQUESTS } from './cases/requests';
import { SIGNING } from './cases/signing';
import { OF_THE_RELEASE, ruleFile, withoutRelease, type AlertRule, type RuleGroup } from './rules';

/** How every alert is tried. */
export const CASES: readonly AlertCase[] = [...API, ...REQUESTS, ...LOG, ...CALLBACKS, ...SIGNING, ...PROCESSES];

const plainScenario = <S extends Scenario>(given: S): S => ({
  ...given,
  series: Object.fromEntries(Object.entries(given.series).map(([series, values]) => [withoutRelease(series), values])),
});

const plainFiring = (given: Firing): Firing => ({
  ...plainScenario(given),
  labels: Object.fromEntries(Object.entries(given.labels).filter(([name]) => !OF_THE_RELEASE.includes(name))),
});

/** The same where nothing adds the labels of the release. */
export const PLAIN_CASES: readonly AlertCase[] = CASES.map(({ alert, fires, firesToo = [], silent }) => ({
  alert,
  fires: plainFiring(fires),
  firesToo: firesToo.map(plainFiring),
  silent: silent.map(plainScenario),
}));

interface Expected {
  readonly exp_labels: object;
  readonly exp_annotations: object;
}

const MINUTE = '1m';

const tried = (
  name: string,
  alertname: string,
  { series, at, interval = MINUTE }: Scenario,
  exp_alerts: readonly Expected[],
) => ({
  name,
  interval,
  input_series: Object.entries(series).map(([text, values]) => ({ series: text, values })),
  alert_rule_test: [{ eval_time: at, alertname, exp_alerts }],
});

function testsOf({ alert, fires, firesToo = [], silent }: AlertCase, rules: readonly AlertRule[]) {
  const rule = rules.find((known) => known.alert === alert);
  if (!rule) return [];
  // The rule's texts without the description, which contains a measured value.
  const expected = ({ labels, says }: Firing) => ({
    exp_labels: { ...rule.labels, ...labels },
    exp_annotations: { ...rule.annotations, description: says },
  });
  return [
    ...[fires, ...firesToo].map((firing, n) => tried(`${alert} fires, ${n + 1}`, alert, firing, [expected(firing)])),
    ...silent.map((scenario, n) => tried(`${alert} is silent, ${n + 1}`, alert, scenario, [])),
  ];
}

/** A file of rules and its tests, with names that begin alike. */
interface TestedRules {
  readonly rules: readonly [file: string, text: string];
  readonly tests: readonly [file: string, text: string];
}

/**
 * The files for promtool: each alert with its series. Every group and every interval has its own files, because
 * promtool evaluates all rules of a file at each interval of each test, which is slow for a test of a whole day.
 */
export const testedRules = (groups: readonly RuleGroup[], cases: readonly AlertCase[]): TestedRules[] =>
  groups.flatMap((group) => {
    const tests = Map.groupBy(
      cases.flatMap((given) => testsOf(given, group.rules)),
      ({ interval }) => interval,
    );
    return [...tests].map(([interval, of]): TestedRules => {
      const file = `${group.name}-${interval}.yaml`;
      return {
        rules: [file, ruleFile([group])],
        tests: [`tests-${file}`, stringify({ rule_files: [file], evaluation_interval: interval, tests: of })],
      };
    });
  });
