import { routes, type RouteName } from '@opendsr-service/console';
import type { Filled } from './filled';
import type { ConsoleWorld } from './world';

type Shown = Pick<ConsoleWorld, 'sandbox' | 'admin'> & { readonly filled: Pick<Filled, 'failing'> };

/** Where each page is shown with data. A page with parameters that has no place here fails its tests. */
export async function placesOf(world: Shown): Promise<ReadonlyMap<RouteName, string>> {
  const { filled, sandbox, admin } = world;
  const ask = async <T>(path: string): Promise<T> => {
    const cookie = admin.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    const answer = await fetch(`${sandbox.consoleUrl}/operator/v1${path}`, { headers: { cookie } });
    return (await answer.json()) as T;
  };
  const { destinations } = await ask<{ destinations: { workspace: string; host: string }[] }>('/destinations');
  const { parked } = await ask<{ parked: { service: string; id: string }[] }>('/parked');
  const parameters: Partial<Record<RouteName, Record<string, string | undefined>>> = {
    request: { ws: 'sandbox', srid: filled.failing },
    destination: { ws: destinations[0]?.workspace, host: destinations[0]?.host },
    workspace: { ws: 'sandbox' },
    parkedRecord: { service: parked[0]?.service, id: parked[0]?.id },
  };
  return new Map(
    routes.map(({ name, path }) => [
      name,
      path.replaceAll(/:(\w+)/g, (_whole, parameter: string) => {
        const value = parameters[name]?.[parameter];
        if (value === undefined) throw new Error(`the page ${name} has no place: say what stands for :${parameter}`);
        return encodeURIComponent(value);
      }),
    ]),
  );
}
