import { controllerRequestId, type Attestation, type Destroyed } from '@opendsr-service/contracts';
import type { RequestDocument } from '../admission/request.document';

/** What the statement needs of an admission. */
export const ATTESTED_FIELDS = [
  'ws',
  'srid',
  'sentId',
  'controllerId',
  'apiVersion',
  'type',
  'regulation',
  'receivedAt',
  'startedAt',
  'completedAt',
  'cancelledAt',
  'legalDueAt',
  'extendedUntil',
  'extendedAt',
  'extensions',
  'reports',
  'history',
  'receipt',
] as const satisfies readonly (keyof RequestDocument)[];

export type AttestedRequest = Pick<RequestDocument, '_id' | (typeof ATTESTED_FIELDS)[number]> &
  Required<Pick<RequestDocument, 'history'>>;

/** A request destroyed keys: a second statement follows when no copy of them opens any more. */
export const hasDestroyedKeys = (request: AttestedRequest): boolean => (destroyedBy(request)?.keys ?? 0) > 0;

/** The first statement about a request that has ended. `generation`: the last that can have wrapped a destroyed key. */
export function attestationOf(request: AttestedRequest, generation: number | undefined): Attestation {
  const { ws: workspace, controllerId, type: requestType, apiVersion: interfaceVersion } = request;
  const { receivedAt, startedAt, completedAt, cancelledAt, regulation } = request;
  const endedAt = completedAt ?? cancelledAt ?? receivedAt;
  const destroyed = destroyedBy(request);
  return {
    statement: 1,
    ...{ workspace, controllerId, requestId: controllerRequestId(request), requestType, interfaceVersion },
    ...(regulation && { regulation }),
    receivedAt: receivedAt.toISOString(),
    ...(startedAt && { startedAt: startedAt.toISOString() }),
    endedAt: endedAt.toISOString(),
    outcome: completedAt ? 'completed' : 'cancelled',
    ...legalDateOf(request, endedAt),
    ...extensionOf(request),
    participants: participantsOf(request),
    ...(destroyed && { destroyed }),
    ...(requestType === 'erasure' && destroyed && { erasure: erasureOf(destroyed, generation) }),
  };
}

const legalDateOf = (
  { legalDueAt, extendedUntil }: AttestedRequest,
  endedAt: Date,
): Pick<Attestation, 'legalDueAt' | 'legalDateKept'> =>
  legalDueAt ? { legalDueAt: legalDueAt.toISOString(), legalDateKept: endedAt <= (extendedUntil ?? legalDueAt) } : {};

const extensionOf = ({ extendedUntil, extendedAt }: AttestedRequest): Pick<Attestation, 'extension'> =>
  extendedUntil && extendedAt
    ? { extension: { extendedUntil: extendedUntil.toISOString(), decidedAt: extendedAt.toISOString() } }
    : {};

function participantsOf({ reports = {}, extensions = [] }: AttestedRequest): Attestation['participants'] {
  const domains = new Map(extensions.map(({ name, domain }) => [name, domain]));
  return Object.entries(reports)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, { status, at, waivedBy }]) => {
      const domain = domains.get(name);
      return {
        ...{ name, ...(domain !== undefined && { domain }), status, reportedAt: at },
        ...(waivedBy !== undefined && { waivedBy }),
      };
    });
}

/** Ingestion reports only after its second pass, results after that. What matched nobody needs none. */
const erasureOf = ({ profiles = 0, keys }: Destroyed, generation: number | undefined): Attestation['erasure'] => ({
  secondPass: profiles > 0,
  ...(keys > 0 && generation !== undefined && { generation }),
  backups: 'not-known',
});

/** A report names a part of many tombstones. */
type CountedDestruction = Destroyed & { readonly unnamedTombstones: number };

/** The sum of what participants destroyed; undefined where none has counted. */
function destroyedBy({ reports = {} }: AttestedRequest): CountedDestruction | undefined {
  const counted = Object.values(reports).flatMap(({ destroyed }) => destroyed ?? []);
  if (counted.length === 0) return undefined;
  const sum = (name: 'profiles' | 'batches' | 'archives') => {
    const counts = counted.flatMap((one) => one[name] ?? []);
    return counts.length > 0 && { [name]: counts.reduce((total, one) => total + one, 0) };
  };
  const keys = counted.reduce((total, one) => total + one.keys, 0);
  const tombstones = counted.flatMap((one) => one.tombstones).sort();
  return {
    ...{ ...sum('profiles'), ...sum('batches'), ...sum('archives') },
    ...{ keys, tombstones, unnamedTombstones: keys - tombstones.length },
  };
}
