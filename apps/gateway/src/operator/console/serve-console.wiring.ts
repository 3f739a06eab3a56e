import { limitBySource, serveWebApp, type EdgeAdapter } from '@opendsr-service/edge';
import type { GatewayParts } from '../../gateway-parts.config';
import type { GatewayLimits } from '../../http/limits/gateway-limits';
import { CONSOLE_ROOT, isConsolePath } from '../../versions/operator-paths';
import type { OperatorPlatform } from '../operator.config';

type Parts = Pick<GatewayParts, 'versions' | 'logSigner'> & { readonly operator: OperatorPlatform };

/** Serves the console, where it was built, and leads browsers to it that name the host alone. */
export function serveConsole(adapter: EdgeAdapter, parts: Parts, sources: GatewayLimits['sources']): void {
  const { console: files } = parts.operator;
  if (!files) return;
  limitBySource(adapter, isConsolePath, sources);
  adapter.getInstance().get('/', (_request, reply) => reply.redirect(CONSOLE_ROOT));
  serveWebApp(adapter, { root: CONSOLE_ROOT, files, made: { 'settings.json': settingsOf(parts) } });
}

/** What the console must know before anybody is signed in. All of it is public. */
const settingsOf = ({ operator, versions, logSigner }: Parts): object => ({
  sign_in: operator.provider ? 'provider' : 'link',
  sandbox: operator.hasFirstRun,
  domains: [...new Set(versions.map(({ domain }) => domain))],
  authorities: operator.authorities ?? '',
  log_key: logSigner.verifierKey,
});
