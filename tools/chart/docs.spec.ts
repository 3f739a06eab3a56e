import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { repository } from '../e2e/repository';
import { manifestsOf, nameOf } from './manifest';
import { RULES } from './policy/rules';
import { describeWithHelm, helm } from './testing/with-helm';

const page = readFileSync(repository('docs/kubernetes.md'), 'utf8');
const valuesInDocs = () => [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text = '']) => parse(text) as object);

describeWithHelm('docs/kubernetes.md', () => {
  it('shows values that render, keep every rule and accept callers from the ingress', () => {
    const [values] = valuesInDocs();
    const outcome = helm.template({ release: 'opendsr', namespace: 'opendsr', values });
    if (!outcome.ok) throw new Error(outcome.message);
    const objects = manifestsOf(outcome.text);
    expect(Object.values(RULES).flatMap((rule) => rule(objects))).toEqual([]);
    expect(objects.map(nameOf)).toEqual(
      expect.arrayContaining(['Deployment opendsr-opendsr-service-gateway', 'Ingress opendsr-opendsr-service']),
    );
    expect(page).toContain('deploy/opendsr-opendsr-service-gateway');
  });

  it('shows values of the console that add its host and its way in, and keep every rule', () => {
    const [values = {}] = valuesInDocs();
    const beside = valuesInDocs().find((one) => 'operatorApi' in one) ?? {};
    const outcome = helm.template({ release: 'opendsr', namespace: 'opendsr', values: { ...values, ...beside } });
    if (!outcome.ok) throw new Error(outcome.message);
    const objects = manifestsOf(outcome.text);
    expect(Object.values(RULES).flatMap((rule) => rule(objects))).toEqual([]);
    expect(objects.map(nameOf)).toContain('Ingress opendsr-opendsr-service-operators');
  });

  it('shows values of one pod in production that render and keep every rule', () => {
    const values = valuesInDocs().find((one) => 'standalone' in one);
    const outcome = helm.template({ release: 'opendsr', namespace: 'opendsr', values });
    if (!outcome.ok) throw new Error(outcome.message);
    const objects = manifestsOf(outcome.text);
    expect(Object.values(RULES).flatMap((rule) => rule(objects))).toEqual([]);
    expect(objects.map(nameOf)).toEqual(
      expect.arrayContaining([
        'StatefulSet opendsr-opendsr-service-standalone',
        'PersistentVolumeClaim opendsr-opendsr-service-data',
        'Pod opendsr-opendsr-service-test',
      ]),
    );
    for (const name of ['statefulset/opendsr-opendsr-service-standalone', 'logs opendsr-opendsr-service-test'])
      expect(page).toContain(name);
  });
});
