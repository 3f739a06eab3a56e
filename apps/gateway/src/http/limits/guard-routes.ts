import type { ProtocolVersion } from '@opendsr-service/contracts';
import {
  beforeBody,
  DOCS_ROUTES,
  type EdgeAdapter,
  expectRoom,
  limitBySource,
  limitFailures,
} from '@opendsr-service/edge';
import type { Workspaces } from '@opendsr-service/workspaces';
import { authenticate, callerOf } from '../caller';
import type { GatewayLimits } from './gateway-limits';
import { CreateTokens } from './create-tokens';
import { isWithin, openPaths, requestsPath, TRANSPARENCY_PATH } from '../../versions/routes';

interface Guard {
  readonly workspaces: Workspaces;
  readonly limits: GatewayLimits;
}

/**
 * Checks credentials, then limits, before the body (protocol, "Several faults at once"). Public routes are
 * limited by source. Call it before the routes are registered.
 */
export function guardRoutes(
  adapter: EdgeAdapter,
  versions: readonly ProtocolVersion[],
  { workspaces, limits }: Guard,
): void {
  const creates = new CreateTokens(limits.creates);
  const requests = versions.map(requestsPath);
  const isOpen = isWithin([...versions.flatMap(openPaths), TRANSPARENCY_PATH]);
  beforeBody(adapter, isWithin(requests), async (http) => {
    await limitFailures(http, limits.authFailures, () => authenticate(http, workspaces));
    const { ws } = callerOf(http);
    expectRoom((await limits.calls.takeToken(ws)).waitMs);
    if (http.method === 'POST' && requests.includes(http.routeOptions.url ?? '')) await creates.takeToken(http, ws);
  });
  const instance = adapter.getInstance();
  instance.addHook('onSend', (http, reply, _body, done) => {
    creates.onAnswer(http, reply);
    done();
  });
  instance.addHook('onResponse', (http, _reply, done) => {
    creates.onEnd(http);
    done();
  });
  instance.addHook('onRequestAbort', (http, done) => {
    creates.onEnd(http);
    done();
  });
  limitBySource(adapter, (path) => isOpen(path) || DOCS_ROUTES.some((route) => route === path), limits.sources);
}
