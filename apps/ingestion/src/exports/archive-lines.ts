import { IDENTITY_TYPES, isDeviceIdentity, type Identity } from '@opendsr-service/contracts';

/** What is told of a profile (golden/sample-profile.jsonl). `attributesJson` is an object in JSON text. */
export interface ProfileFacts {
  readonly mpid: string;
  readonly createdAt: Date;
  readonly identities: readonly Identity[];
  readonly attributesJson: string;
}

/** One line about a profile. It is put together as text where a number has more digits than JavaScript keeps. */
export function profileLine({ mpid, createdAt, identities, attributesJson }: ProfileFacts): string {
  const told = identities.map((identity) => ({
    device: isDeviceIdentity(identity.type),
    line: identityFacts(identity),
  }));
  const linesOf = (device: boolean): string =>
    JSON.stringify(told.filter((one) => one.device === device).map(({ line }) => line));
  return (
    `{"id":${mpid},"created_timestamp_ms":${createdAt.getTime()},"device_identities":${linesOf(true)},` +
    `"user_identities":${linesOf(false)},"user_attributes":${attributesJson}}`
  );
}

/**
 * One line about a batch, as it came, with the profile it was stored under. JSON text has line breaks between its tokens only,
 * so taking them out changes nothing. The mpid stands last: readers keep the last of two equal names.
 */
export function batchLine(mpid: string, batchJson: string): string {
  const oneLine = batchJson.replaceAll(/[\r\n]+/g, ' ').trim();
  return `${oneLine.slice(0, -1)},"mpid":${mpid}}`;
}

const identityFacts = ({ type, value }: Identity) => ({
  type: IDENTITY_TYPES[type].ingestNames[0] ?? type,
  encoding: 'none',
  value,
});
