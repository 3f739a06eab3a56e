import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { RELEASE_FILE } from '../bench/release';
import { figuresOf, PROCESSES, type Release } from '../capacity/figures';
import { ASSUMED, cpuMsPerCreate } from '../capacity/model';
import { repository } from '../e2e/repository';
import { valuesOf } from './goldens';
import { chartFolder } from './helm';
import { manifestsOf, ofKind, type Manifest } from './manifest';
import { RULES } from './policy/rules';
import { representative } from '../testing/form';
import { describeWithHelm, describeWithHelmInFull, helm } from './testing/with-helm';

const MS_A_SECOND = 1_000;
const figures = figuresOf(JSON.parse(readFileSync(repository(RELEASE_FILE), 'utf8')) as Release);
const milliCpus = (quantity: unknown): number => Number(/^(\d+)m$/.exec(String(quantity))?.[1]);
const numberAfter = (text: string, words: RegExp): number => Number(words.exec(text)?.[1]?.replace(',', ''));

const leastOfScaler = (objects: readonly Manifest[]): number =>
  ofKind(objects, 'HorizontalPodAutoscaler')[0]?.spec?.minReplicas ?? 0;

/** How many pods an app has at the least, and what CPU is kept for each, in thousandths. */
function podsOf(objects: readonly Manifest[], app: string) {
  const deployment = ofKind(objects, 'Deployment').find(({ metadata }) => metadata?.name?.endsWith(`-${app}`));
  const { replicas, template } = deployment?.spec ?? {};
  const [container] = template?.spec?.containers ?? [];
  return { replicas: replicas ?? leastOfScaler(objects), cpu: milliCpus(container?.resources?.requests?.['cpu']) };
}

describeWithHelm.each(representative(['small', 'medium', 'large']))('the %s values', (size) => {
  const file = `${chartFolder()}/${size}-values.yaml`;
  const text = readFileSync(file, 'utf8');
  const render = () => {
    const outcome = helm.template({ files: [file, valuesOf('minimal')] });
    if (!outcome.ok) throw new Error(outcome.message);
    return manifestsOf(outcome.text);
  };

  it('reserve the CPU that the measured costs of so many creates need, and say how much that is', () => {
    const objects = render();
    const holds = numberAfter(text, /^# Holds (\d+) creates/);
    const reserved = PROCESSES.map((app) => {
      const { replicas, cpu } = podsOf(objects, app);
      const needed = holds * cpuMsPerCreate(figures, app);
      expect({ app, isEnough: replicas * cpu >= needed }).toEqual({ app, isEnough: true });
      // The event loop is one thread.
      expect({ app, fits: needed / replicas <= ASSUMED.utilisation * MS_A_SECOND }).toEqual({ app, fits: true });
      return replicas * cpu;
    });
    expect(reserved.reduce((sum, one) => sum + one)).toBe(numberAfter(text, /reserve ([\d,]+)m CPU/));
  });

  it('keep every rule of the chart', () => {
    const objects = render();
    expect(Object.values(RULES).flatMap((rule) => rule(objects))).toEqual([]);
  });
});

describeWithHelmInFull('the values of a trial', () => {
  it('render with nothing but brokers, and keep every rule that is not about several pods', () => {
    const values = parse(readFileSync(`${chartFolder()}/sandbox-values.yaml`, 'utf8')) as { readonly kafka: object };
    const outcome = helm.template({ values: { ...values, kafka: { ...values.kafka, brokers: ['kafka:9092'] } } });
    if (!outcome.ok) throw new Error(outcome.message);
    const objects = manifestsOf(outcome.text);
    expect(Object.values(RULES).flatMap((rule) => rule(objects))).toEqual([]);
    expect(ofKind(objects, 'Deployment').map(({ spec }) => spec?.replicas)).toEqual([1, 1, 1, 1, 1]);
  });
});
