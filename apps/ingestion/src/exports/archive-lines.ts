import { IDENTITY_TYPES, isDeviceIdentity, type Identity } from '@opendsr-service/contracts';

/** Golden: `sample-profile.jsonl`. `attributesJson` is a JSON object. */
interface ProfileFacts {
  readonly mpid: string;
  readonly createdAt: Date;
  readonly identities: readonly Identity[];
  readonly attributesJson: string;
}

/** Concatenates text, because numbers may have more digits than JavaScript keeps. */
export function profileLine({ mpid, createdAt, identities, attributesJson }: ProfileFacts): string {
  const facts = identities.map((identity) => ({
    device: isDeviceIdentity(identity.type),
    line: identityFacts(identity),
  }));
  const linesOf = (device: boolean): string =>
    JSON.stringify(facts.filter((one) => one.device === device).map(({ line }) => line));
  return (
    `{"id":${mpid},"created_timestamp_ms":${createdAt.getTime()},"device_identities":${linesOf(true)},` +
    `"user_identities":${linesOf(false)},"user_attributes":${attributesJson}}`
  );
}

/** JSON has line breaks between tokens only. The mpid comes last: readers keep the last of two equal names. */
export function batchLine(mpid: string, batchJson: string): string {
  const oneLine = batchJson.replaceAll(/[\r\n]+/g, ' ').trim();
  return `${oneLine.slice(0, -1)},"mpid":${mpid}}`;
}

const identityFacts = ({ type, value }: Identity) => ({
  type: IDENTITY_TYPES[type].ingestNames[0] ?? type,
  encoding: 'none',
  value,
});
