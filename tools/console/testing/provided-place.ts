import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { TestProvider } from '@opendsr-service/operator-access/testing';
import { freePorts } from '../../e2e/free-ports';
import { suiteSettings } from '../../e2e/service';
import { startStandalone } from '../../e2e/standalone';
import type { Place } from './places';

/** Who signs in at the provider of a place, by the groups that his roles come from. */
export interface ProvidedPlace extends Place {
  readonly provider: TestProvider;
}

const ROLES = ['viewer', 'operator', 'officer', 'admin'];

/**
 * A gateway with a port of its own for operators and a real OpenID provider. A group of the name of a role has it in all
 * workspaces, and one of `role@workspace` has it there.
 */
export async function startWithProvider(): Promise<ProvidedPlace> {
  const [operatorPort = 0] = await freePorts(1);
  const consoleUrl = `http://localhost:${String(operatorPort)}`;
  const provider = await TestProvider.start(`${consoleUrl}/operator/v1/sign-in/callback`);
  const secretFile = join(tmpdir(), `opendsr-client-secret-${randomUUID()}`);
  await writeFile(secretFile, `${provider.clientSecret}\n`);
  const roles = ROLES.flatMap((role) => [role, `${role}@sandbox`, `${role}@other`].map((one) => `${one}=${one}`));
  const service = await startStandalone({
    ...suiteSettings,
    OPERATOR_PORT: String(operatorPort),
    OPERATOR_URL: consoleUrl,
    OPERATOR_OIDC_ISSUER: provider.issuer,
    OPERATOR_OIDC_CLIENT_ID: provider.clientId,
    OPERATOR_OIDC_CLIENT_SECRET_FILE: secretFile,
    OPERATOR_OIDC_AUDIENCE: provider.audience,
    OPERATOR_ROLES: roles.join(','),
    OPERATOR_REVEAL_APPROVAL: 'true',
  }).catch(async (error: unknown) => {
    await provider.stop();
    throw error;
  });
  const stop = async () => {
    await service.stop();
    await provider.stop();
    await rm(secretFile);
  };
  await service.other();
  return { service: { ...service, stop }, consoleUrl, provider };
}
