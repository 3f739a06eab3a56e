import { globSync, readFileSync } from 'node:fs';
import { repository } from '../../e2e/repository';

/** The names of metrics that the code declares: whole strings that begin with `opendsr_`, in what runs. */
export function ownMetrics(): Set<string> {
  const files = globSync('{apps,libs}/*/src/**/*.ts', { cwd: repository() }).filter((file) => !/\.spec\.ts$|\/testing\//.test(file));
  return new Set(files.flatMap((file) => [...readFileSync(repository(file), 'utf8').matchAll(/'(opendsr_[a-z][a-z_]*)'/g)].map(([, name = '']) => name)));
}
