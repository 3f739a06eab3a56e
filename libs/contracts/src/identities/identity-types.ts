export type Normalisation = 'exact' | 'lowerCase' | 'email' | 'phone' | 'mpid';

/** The only table of identity types (protocol, "Identity types", "Identity types of ingestion"). Its keys are stored and matched. */
interface IdentityType {
  readonly needsExtension: boolean;
  /** Other spellings of `identity_type`. */
  readonly requestAliases: readonly string[];
  /** Names in identify and events. Empty: no data arrives under this type. */
  readonly ingestNames: readonly string[];
  /** The known identity of the lowest rank decides whose profile it is. */
  readonly rank: number;
  readonly device: boolean;
  readonly normalise: Normalisation;
}

const login = (rank: number, ingestNames: readonly string[], normalise: Normalisation = 'exact'): IdentityType => ({
  needsExtension: false,
  requestAliases: [],
  ingestNames,
  rank,
  device: false,
  normalise,
});
const extended = (rank: number, name: string): IdentityType => ({ ...login(rank, [name]), needsExtension: true });
const phone = (rank: number, name: string): IdentityType => ({ ...extended(rank, name), normalise: 'phone' });
const device = (ingestNames: readonly string[], requestAliases: readonly string[] = []): IdentityType => ({
  needsExtension: false,
  requestAliases,
  ingestNames,
  rank: 100,
  device: true,
  normalise: 'lowerCase',
});

export const IDENTITY_TYPES = {
  mpid: { ...login(0, []), needsExtension: true, normalise: 'mpid' },
  controller_customer_id: login(1, ['customer_id', 'customerid']),
  email: login(2, ['email'], 'email'),
  other: extended(3, 'other'),
  other2: extended(4, 'other2'),
  other3: extended(5, 'other3'),
  other4: extended(6, 'other4'),
  other5: extended(7, 'other5'),
  other6: extended(8, 'other6'),
  other7: extended(9, 'other7'),
  other8: extended(10, 'other8'),
  other9: extended(11, 'other9'),
  other10: extended(12, 'other10'),
  mobile_number: phone(13, 'mobile_number'),
  phone_number_2: phone(14, 'phone_number_2'),
  phone_number_3: phone(15, 'phone_number_3'),
  // A browser or an installed app in SDKs. It outlives the names of other devices, so it ranks before them.
  device_application_stamp: { ...device(['device_application_stamp']), needsExtension: true, rank: 99 },
  android_advertising_id: device(['android_advertising_id', 'android_aaid']),
  android_id: device(['android_id', 'android_uuid']),
  fire_advertising_id: device(['fire_advertising_id', 'fire_aid']),
  ios_advertising_id: device(['ios_advertising_id', 'ios_idfa']),
  ios_vendor_id: device(['ios_vendor_id', 'ios_idfv']),
  microsoft_advertising_id: device(['microsoft_advertising_id', 'microsoft_aid']),
  microsoft_publisher_id: device(['microsoft_publisher_id']),
  roku_advertising_id: device(['roku_advertising_id', 'roku_aid']),
  roku_publisher_id: device(['roku_publisher_id', 'roku_publishing_id'], ['roku_publishing_id']),
} as const satisfies Record<string, IdentityType>;

export type IdentityTypeName = keyof typeof IDENTITY_TYPES;

const entries = Object.entries(IDENTITY_TYPES) as [IdentityTypeName, IdentityType][];
const requestSpellings = new Map(
  entries.flatMap(([name, type]) => [name, ...type.requestAliases].map((s) => [s, name] as const)),
);
const ingestSpellings = new Map(entries.flatMap(([name, type]) => type.ingestNames.map((s) => [s, name] as const)));

/** The type of a request's `identity_type`; undefined: unknown. */
export const requestIdentityType = (spelling: string): IdentityTypeName | undefined => requestSpellings.get(spelling);

/** The type of an identity name in identify and events; undefined: unknown. */
export const ingestIdentityType = (spelling: string): IdentityTypeName | undefined => ingestSpellings.get(spelling);

export const needsExtension = (type: IdentityTypeName): boolean => IDENTITY_TYPES[type].needsExtension;
export const isDeviceIdentity = (type: IdentityTypeName): boolean => IDENTITY_TYPES[type].device;
export const identityRank = (type: IdentityTypeName): number => IDENTITY_TYPES[type].rank;

/** `supported_identities` of discovery, in the order of the interface (protocol, "Discovery record"). */
export const DISCOVERY_IDENTITIES = [
  'android_advertising_id',
  'android_id',
  'controller_customer_id',
  'email',
  'fire_advertising_id',
  'ios_advertising_id',
  'ios_vendor_id',
  'microsoft_advertising_id',
  'microsoft_publisher_id',
  'roku_advertising_id',
  'roku_publisher_id',
] as const satisfies readonly IdentityTypeName[];
