import { randomBytes, randomUUID } from 'node:crypto';
import { expectAdmitted, expectStatus, expectThat } from '../checks';
import { domainOf, firstFault } from '../processor';
import { inInterface, inNotes } from '../rule';
import { raw, type Session } from '../session';

/** Both columns of the interface's table, word for word. */
const OPEN_TYPES = [
  'controller_customer_id',
  'email',
  'android_advertising_id',
  'android_id',
  'fire_advertising_id',
  'ios_advertising_id',
  'ios_vendor_id',
  'microsoft_advertising_id',
  'microsoft_publisher_id',
  'roku_advertising_id',
  'roku_publishing_id',
];
const EXTENSION_TYPES = [
  'other',
  'other2',
  'other3',
  'other4',
  'other5',
  'other6',
  'other7',
  'other8',
  'other9',
  'other10',
  'mobile_number',
  'phone_number_2',
  'phone_number_3',
];

/** A valid value of a type that no person has. */
const valueOf = (type: string): string =>
  /number/.test(type)
    ? `+1202555${String(randomBytes(4).readUInt32BE()).padStart(10, '0')}`
    : type === 'email'
      ? `${randomUUID()}@example.com`
      : randomUUID();

/** A number may belong to a person: no rule erases by a number. */
const harmless = ({ options: { pendingType } }: Session) => (pendingType === 'erasure' ? 'portability' : pendingType);

/** So large that no JavaScript number holds it. */
const largeMpid = (): bigint => 2n ** 62n + BigInt(`0x${randomBytes(6).toString('hex')}`) * 2n;

/** A create with the processor's own extension. `mpids` are written as they are: a JavaScript number would lose digits. */
async function withExtension(session: Session, extension: object, mpids: readonly string[] = [], more: object = {}) {
  const key = await domainOf(session);
  const body = session.body({
    subject_identities: undefined,
    ...more,
    extensions: { [key]: { ...extension, ...(mpids.length > 0 && { mpids: 'MPIDS' }) } },
  });
  return session.create(
    JSON.stringify({ ...body, subject_request_type: harmless(session) }).replace('"MPIDS"', `[${mpids.join()}]`),
  );
}

const type = (identity_type: string) => ({ identity_type, identity_value: valueOf(identity_type) });

export const identityRules = [
  ...inInterface('Identity types', [
    {
      id: 'identities.types',
      title: 'each identity type that needs no extension is accepted',
      run: async (session) => {
        for (const name of OPEN_TYPES)
          expectAdmitted(await session.create(session.body({ subject_identities: [raw(name, valueOf(name))] })), name);
      },
    },
    {
      id: 'identities.roku',
      title: 'roku_publisher_id, the name in discovery, is accepted',
      run: async (session) =>
        void (await session.admit({ subject_identities: [raw('roku_publisher_id', randomUUID())] })),
    },
    {
      id: 'identities.several',
      title: 'a request may have several identities',
      run: async (session) =>
        void (await session.admit({
          subject_identities: ['email', 'controller_customer_id', 'ios_vendor_id'].map((name) =>
            raw(name, valueOf(name)),
          ),
        })),
    },
  ]),
  ...inInterface('Extension', [
    {
      id: 'identities.extension-types',
      title: 'each identity type that needs the extension is accepted inside it',
      run: async (session) => {
        for (const name of EXTENSION_TYPES)
          expectAdmitted(await withExtension(session, { identities: [type(name)] }), name);
      },
    },
    {
      id: 'identities.mpids',
      title: 'mpids are accepted as integers, without subject_identities',
      run: async (session) =>
        expectAdmitted(
          await withExtension(session, {}, [String(4_000_000_000_000_000 + randomBytes(5).readUIntBE(0, 5))]),
        ),
    },
    {
      id: 'identities.mpids-type',
      title: 'mpids is an array of integers',
      run: async (session) => {
        for (const mpids of ['1.5', 'true', '"x"', '{}'])
          expectStatus(await withExtension(session, {}, [mpids]), 400, `mpids [${mpids}]`);
        expectStatus(await withExtension(session, { mpids: 5 }), 400, 'mpids 5');
      },
    },
    {
      id: 'identities.extension-fields',
      title: 'an identity of the extension has a known type and a value, as strings',
      run: async (session) => {
        const { identity_type, identity_value } = type('other');
        for (const [what, identity] of Object.entries({
          'no type': { identity_value },
          'no value': { identity_type },
          'an unknown type': { identity_type: 'shoe_size', identity_value },
          'a number as value': { identity_type, identity_value: 5 },
        }))
          expectStatus(await withExtension(session, { identities: [identity] }), 400, what);
      },
    },
  ]),
  ...inNotes('Identity types marked "extension needed"', [
    {
      id: 'identities.extension-needed',
      title: 'such a type outside the extension gets 400, which names the extension',
      run: async (session) => {
        const key = await domainOf(session);
        for (const name of ['mpid', ...EXTENSION_TYPES]) {
          const answer = await session.create(
            session.body({ subject_identities: [raw(name, name === 'mpid' ? '5' : valueOf(name))] }),
          );
          expectStatus(answer, 400, name);
          expectThat(
            String(firstFault(answer).message).includes(key),
            `the refusal of ${name} to name the extension`,
            'another message',
          );
        }
      },
    },
  ]),
  ...inNotes('Roku spellings', [
    {
      id: 'identities.roku-same',
      title: 'both spellings of the Roku type are one identity',
      run: async (session) => {
        const value = randomUUID();
        await session.admit({ subject_identities: [raw('roku_publisher_id', value)] });
        expectStatus(
          await session.create(session.body({ subject_identities: [raw('roku_publishing_id', value)] })),
          409,
          'the other spelling',
        );
      },
    },
  ]),
  ...inNotes('mpids', [
    {
      id: 'identities.mpids-large',
      title: 'mpids beyond 2^53 keep every digit',
      run: async (session) => {
        const mpid = largeMpid();
        expectAdmitted(await withExtension(session, {}, [String(mpid)]), 'a large mpid');
        expectAdmitted(await withExtension(session, {}, [String(mpid + 1n)]), 'the mpid after it');
        expectStatus(await withExtension(session, {}, [String(mpid)]), 409, 'the same mpid');
      },
    },
    {
      id: 'identities.mpids-text',
      title: 'an mpid as a decimal string equals the integer',
      run: async (session) => {
        const mpid = String(largeMpid());
        expectAdmitted(await withExtension(session, {}, [mpid]), 'the integer');
        expectStatus(await withExtension(session, {}, [`"${mpid}"`]), 409, 'the string');
      },
    },
    {
      id: 'identities.mpids-negative',
      title: 'negative mpids are accepted',
      run: async (session) => expectAdmitted(await withExtension(session, {}, [String(-largeMpid())])),
    },
    {
      id: 'identities.mpids-range',
      title: 'mpids beyond 64 bits are refused',
      run: async (session) => expectStatus(await withExtension(session, {}, [String(2n ** 63n)]), 400),
    },
  ]),
  ...inNotes('Types that need no extension, given inside it', [
    {
      id: 'identities.inside',
      title: 'a type that needs no extension is the same identity inside it',
      run: async (session) => {
        const { identity_type, identity_value } = type('controller_customer_id');
        expectAdmitted(await withExtension(session, { identities: [{ identity_type, identity_value }] }), 'inside');
        expectStatus(
          await session.create(
            session.body({
              subject_request_type: harmless(session),
              subject_identities: [raw(identity_type, identity_value)],
            }),
          ),
          409,
          'outside',
        );
      },
    },
  ]),
  ...inNotes('Fields unknown to us', [
    {
      id: 'identities.foreign-extension',
      title: 'extensions of other processors are ignored',
      run: async (session) =>
        void (await session.admit({ extensions: { 'another.example.com': { mpids: 'anything' } } })),
    },
  ]),
];
