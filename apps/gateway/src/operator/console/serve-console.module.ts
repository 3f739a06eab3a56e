import { limitBySource, serveWebApp, type EdgeAdapter } from '@opendsr-service/edge';
import type { GatewayLimits } from '../../http/limits/gateway-limits';
import { CONSOLE_ROOT, isConsolePath } from '../../versions/operator-paths';
import type { OperatorParts } from '../operator.config';

/** Serves the console, where it was built, and leads browsers to it that name the host alone. */
export function serveConsole(
  adapter: EdgeAdapter,
  { console: files, provider, isSandbox }: OperatorParts,
  sources: GatewayLimits['sources'],
): void {
  if (!files) return;
  limitBySource(adapter, isConsolePath, sources);
  adapter.getInstance().get('/', (_request, reply) => reply.redirect(CONSOLE_ROOT));
  const settings = { sign_in: provider ? 'provider' : 'link', sandbox: isSandbox };
  serveWebApp(adapter, { root: CONSOLE_ROOT, files, made: { 'settings.json': settings } });
}
