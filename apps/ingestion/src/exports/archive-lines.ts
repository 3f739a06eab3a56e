import { IDENTITY_TYPES, isDeviceIdentity, type ExportItem, type Identity } from '@opendsr-service/contracts';
import { jsonElements } from '../json-elements';

/** Golden: `sample-profile.jsonl`. `attributesJson` is a JSON object. */
interface ProfileFacts {
  readonly mpid: string;
  readonly createdAt: Date;
  readonly identities: readonly Identity[];
  readonly attributesJson: string;
}

/** With the attributes of a profile, at most 4 MiB, an item fits well into the 16 MiB that results reads of a line. */
const PART_CHARACTERS = 1_048_576;

/** The line of a profile. Many long identities take several items: a profile may have more of them than fit into one. */
export function* profileItems(profile: ProfileFacts): Generator<ExportItem> {
  let [text, isInParts] = ['', false];
  for (const piece of profilePieces(profile)) {
    if (text.length >= PART_CHARACTERS) {
      yield { part: text };
      [text, isInParts] = ['', true];
    }
    text += piece;
  }
  yield isInParts ? { part: text, isLast: true } : { profile: text };
}

/** Concatenates text, because numbers may have more digits than JavaScript keeps. */
function* profilePieces({ mpid, createdAt, identities, attributesJson }: ProfileFacts): Generator<string> {
  yield `{"id":${mpid},"created_timestamp_ms":${createdAt.getTime()},"device_identities":[`;
  yield* identityPieces(identities.filter(({ type }) => isDeviceIdentity(type)));
  yield '],"user_identities":[';
  yield* identityPieces(identities.filter(({ type }) => !isDeviceIdentity(type)));
  yield `],"user_attributes":${attributesJson}}`;
}

function* identityPieces(identities: readonly Identity[]): Generator<string> {
  for (const [n, identity] of identities.entries())
    yield `${n === 0 ? '' : ','}${JSON.stringify(identityFacts(identity))}`;
}

/** `batchJson`: an object. The mpid of its profile takes the place of the sender's. JSON has line breaks between tokens only. */
export function batchLine(mpid: string, batchJson: Buffer): string {
  const members = jsonElements(batchJson).map((member) => member.toString('utf8').replaceAll(/[\r\n]+/g, ' '));
  return `{${[...members.filter((member) => nameOf(member) !== 'mpid'), `"mpid":${mpid}`].join(',')}}`;
}

const NAME = /^"(?:[^"\\]|\\.)*"/;

/** Of a member of an object. A name may have escapes. */
const nameOf = (member: string): unknown => JSON.parse(NAME.exec(member)?.[0] ?? '""');

const identityFacts = ({ type, value }: Identity) => ({
  type: IDENTITY_TYPES[type].ingestNames[0] ?? type,
  encoding: 'none',
  value,
});
