import type { Answer, Query } from '../../api/answer';

export type ParkedRecord = Answer<'/operator/v1/parked'>['parked'][number];
export type ParkedDetail = Answer<'/operator/v1/parked/{service}/{id}'>;
export type ServiceName = ParkedRecord['service'];
export type ParkedKind = NonNullable<Query<'/operator/v1/parked'>['kind']>;

/** The services that park records. */
export const SERVICES: readonly ServiceName[] = ['gateway', 'request', 'callback-dispatcher', 'results', 'ingestion'];

export const isService = (text: string | undefined): text is ServiceName => SERVICES.some((name) => name === text);

export const KIND_LOOKS = { blocking: 'danger', waiting: 'warning', aside: 'info' } as const;
export const KINDS = ['blocking', 'waiting', 'aside'] as const;

export const isKind = (text: string | undefined): text is ParkedKind =>
  text === 'not-aside' || KINDS.some((kind) => kind === text);

/** The address of a parked record below `/console`. */
export const parkedPath = ({ service, id }: Pick<ParkedRecord, 'service' | 'id'>): string =>
  `/parked/${service}/${encodeURIComponent(id)}`;
