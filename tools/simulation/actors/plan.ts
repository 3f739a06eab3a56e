import { V1, V2, type ProtocolVersion, type RequestType } from '@opendsr-service/contracts';
import type { Chance } from '../engine/chance';
import { CROWD, LIVES } from '../scale';

/** A workspace of a world, with made-up credentials. */
export interface Tenant {
  readonly ws: string;
  readonly key: string;
  readonly secret: string;
  /** Outside participants, by the types that they take part in. */
  readonly participants: readonly { readonly name: string; readonly types: readonly RequestType[] }[];
}

export const TENANTS: readonly Tenant[] = [
  {
    ws: 'acme',
    key: 'key-acme',
    secret: 'secret-acme',
    participants: [
      { name: 'crm', types: ['access', 'erasure'] },
      { name: 'mail', types: ['erasure'] },
    ],
  },
  {
    ws: 'globex',
    key: 'key-globex',
    secret: 'secret-globex',
    participants: [{ name: 'crm', types: ['portability', 'erasure'] }],
  },
];

/** One request that a controller means to make, and so one life. */
export interface LifePlan {
  readonly srid: string;
  readonly tenant: Tenant;
  readonly version: ProtocolVersion;
  readonly type: RequestType;
  /** Made up; several lives share one, so that twins meet. */
  readonly person: string;
  readonly groupId: string | undefined;
  readonly callbackUrls: readonly string[];
  /** When its controller begins, in milliseconds from the start of the world. */
  readonly beginsAfterMs: number;
  readonly isCrowd: boolean;
}

const TYPES: readonly RequestType[] = ['access', 'portability', 'erasure'];
/** An archive with data in it is compressed beside the event loop, in an order that no seed decides. */
const TYPES_OVER_DATA: readonly RequestType[] = ['erasure'];
const URLS = 4;
const GROUPS = 3;
/** Few, so that twins meet. */
export const PERSONS = 8;
const BEGIN_WITHIN_MS = 60_000;
const CROWD_WITHIN_MS = 30;

/** The made-up address of a person. */
export const personNamed = (n: number): string => `person-${n}@example.com`;

/** Of what kind a world is, as far as its lives go. */
interface Kind {
  /** A crowd wants into one group at once. */
  readonly isCrowd: boolean;
  /** Persons have data. */
  readonly hasData: boolean;
}

/** The lives of a world: different ones, or a crowd. */
export const plansOf = (chance: Chance, { isCrowd, hasData }: Kind): LifePlan[] =>
  isCrowd
    ? Array.from({ length: CROWD }, (_, n) => ofCrowd(chance, n))
    : Array.from({ length: LIVES }, () => ordinary(chance, hasData ? TYPES_OVER_DATA : TYPES));

function ordinary(chance: Chance, types: readonly RequestType[]): LifePlan {
  return {
    srid: chance.uuid(),
    tenant: chance.pick(TENANTS),
    version: chance.pick([V2, V2, V1]),
    type: chance.pick(types),
    person: personNamed(chance.below(PERSONS)),
    groupId: chance.happens(0.4) ? `group-${chance.below(GROUPS)}` : undefined,
    callbackUrls: [...Array(URLS).keys()]
      .filter(() => chance.happens(0.3))
      .map((n) => `https://controller-${n}.example.com/callbacks`),
    beginsAfterMs: chance.below(BEGIN_WITHIN_MS),
    isCrowd: false,
  };
}

const ofCrowd = (chance: Chance, n: number): LifePlan => ({
  srid: chance.uuid(),
  tenant: TENANTS[0] as Tenant,
  version: V2,
  type: 'portability',
  person: personNamed(n),
  groupId: 'crowd',
  callbackUrls: [],
  beginsAfterMs: chance.below(CROWD_WITHIN_MS),
  isCrowd: true,
});
