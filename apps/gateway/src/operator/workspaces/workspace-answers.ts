import type { Shape } from '@opendsr-service/contracts';
import { timeOf } from '@opendsr-service/operator-answers';
import type { ApiKey, OutsideParticipant, Workspace } from '@opendsr-service/workspaces';
import type { MadeKey } from './operator-keys';
import type { API_KEY, MADE_API_KEY, PARTICIPANT, WORKSPACE, WORKSPACE_DETAIL } from './workspace-schemas';

export const workspaceAnswer = (one: Workspace): Shape<typeof WORKSPACE> => ({
  ...{ workspace: one.ws, name: one.name, controller_id: one.controllerId, class: one.class },
  created_time: one.createdAt.toISOString(),
});

/** `limits`: by name; 0 is none. */
export const workspaceDetail = (
  one: Workspace,
  limits: Readonly<Record<string, number>>,
): Shape<typeof WORKSPACE_DETAIL> => ({
  ...workspaceAnswer(one),
  ...{ after_erasure: one.afterErasure, device_matching: one.deviceMatching },
  legal: {
    ...{ time_zone: one.legal.timeZone, holidays: [...one.legal.holidays], clock_start: one.legal.clockStart },
    ...{ gdpr_days: one.legal.shorterDays.gdpr ?? null, ccpa_days: one.legal.shorterDays.ccpa ?? null },
  },
  limits: Object.entries(limits).map(([name, limit]) => ({ name, limit: limit === 0 ? null : limit })),
});

export const apiKeyAnswer = ({
  key,
  scopes,
  state,
  createdAt,
  expiresAt,
  revokedAt,
}: ApiKey): Shape<typeof API_KEY> => ({
  ...{ key, scopes: [...scopes], state, created_time: createdAt.toISOString() },
  ...{ expires_time: timeOf(expiresAt), revoked_time: timeOf(revokedAt) },
});

/** `replaced`: the key whose place it takes, and when that one ends. */
export const madeKeyAnswer = (
  { key, secret, scopes, createdAt, expiresAt }: MadeKey,
  replaced?: { readonly key: string; readonly expiresAt: Date },
): Shape<typeof MADE_API_KEY> => ({
  ...{ key, secret, scopes: [...scopes], created_time: createdAt.toISOString(), expires_time: timeOf(expiresAt) },
  ...{ replaces: replaced?.key ?? null, replaced_expires_time: timeOf(replaced?.expiresAt) },
});

export const participantAnswer = (one: OutsideParticipant): Shape<typeof PARTICIPANT> => ({
  ...{ workspace: one.ws, name: one.name, domain: one.domain, types: [...one.types] },
  ...{ identity_types: one.identityTypes ? [...one.identityTypes] : null, created_time: one.createdAt.toISOString() },
});
