import type { Environment } from '../../e2e/child-service';
import { suiteSettings, type Service } from '../../e2e/service';
import { startStandalone } from '../../e2e/standalone';
import { until } from '../../receiver/until';

/** A service with a console, and where browsers find that. */
export interface Place {
  readonly service: Service;
  readonly consoleUrl: string;
}

/** The link that signs in once, as the banner shows it. */
export const signInLinkOf = ({ processes }: Pick<Service, 'processes'>): Promise<string> =>
  until(
    'the banner to show a link that signs in',
    () => /console +(http\S+) \(signs in once\)/.exec(processes.at(-1)?.output ?? '')?.[1],
  );

/** As `npm start`: the console on the public port, for the holder of the link. */
export async function startSandbox(settings: Environment = {}): Promise<Place> {
  const service = await startStandalone({ ...suiteSettings, ...settings });
  await service.other();
  return { service, consoleUrl: new URL(await signInLinkOf(service)).origin };
}
