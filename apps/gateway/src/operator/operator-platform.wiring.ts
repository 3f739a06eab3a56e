import { readFile } from 'node:fs/promises';
import { readWebApp } from '@opendsr-service/edge';
import { letsInByLink, type OperatorValues, type Profile } from '@opendsr-service/config';
import { IdentityProvider, OneTimeLink } from '@opendsr-service/operator-access';
import type { Clock, Logger } from '@opendsr-service/service';
import type { MasterSeal } from '@opendsr-service/vault';
import type { OperatorPlatform } from './operator.config';
import { CALLBACK_PATH } from '../versions/operator-paths';

interface Parts {
  readonly clock: Clock;
  readonly log: Logger;
  readonly seal: MasterSeal;
  /** Whether a sandbox without a provider lets in who has its link, on the public port too. */
  readonly mayLink: boolean;
  /** That of a sandbox. */
  readonly authorityFile?: string | undefined;
}

/** Undefined: this process does not serve the operator's API. */
export async function openOperatorPlatform(
  values: OperatorValues & { readonly TIMING_PROFILE: Profile },
  { clock, log, seal, mayLink, authorityFile }: Parts,
): Promise<OperatorPlatform | undefined> {
  const provider = await providerOf(values, { clock, log });
  if (!provider && !letsInByLink(values, mayLink)) return undefined;
  const by = provider ? { provider } : { link: new OneTimeLink('sandbox') };
  const authorities = authorityFile === undefined ? undefined : await readFile(authorityFile, 'utf8');
  const hasFirstRun = mayLink && values.TIMING_PROFILE === 'sandbox' && values.OPERATOR_PORT === undefined;
  return { ...by, seal, hasFirstRun, authorities, console: await readWebApp('console') };
}

async function providerOf(
  values: OperatorValues,
  { clock, log }: Pick<Parts, 'clock' | 'log'>,
): Promise<IdentityProvider | undefined> {
  const {
    OPERATOR_OIDC_ISSUER: issuer,
    OPERATOR_OIDC_CLIENT_ID: clientId,
    OPERATOR_OIDC_AUDIENCE: audience,
    OPERATOR_OIDC_CLIENT_SECRET_FILE: secretFile,
    OPERATOR_OIDC_CA_FILE: authorities,
    OPERATOR_URL: url,
  } = values;
  if (issuer === undefined || clientId === undefined || audience === undefined || url === undefined) return undefined;
  const clientSecret = secretFile === undefined ? undefined : (await readFile(secretFile, 'utf8')).trim();
  const settings = {
    ...{ issuer, clientId, audience, roleClaim: values.OPERATOR_OIDC_ROLE_CLAIM, roles: values.OPERATOR_ROLES },
    ...(clientSecret !== undefined && { clientSecret }),
    ...(authorities && { authorities }),
    scopes: values.OPERATOR_OIDC_SCOPES,
    redirectUrl: `${url}${CALLBACK_PATH}`,
  };
  return new IdentityProvider(
    settings,
    () => clock.now().getTime(),
    (failure) => log.warn({ ...failure }, 'The identity provider failed, or refused a sign-in'),
  );
}
