import { Ajv2020 } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { attestedCancellation, attestedErasure, attestedSubjects } from '../testing/attestations';
import { fault } from './against-schema';
import { ATTESTATION_SCHEMA, ATTESTATION_TYPE } from './predicate';
import { attestationPayload, readAttestation } from './statement';

const parsed = (payload: Buffer) => JSON.parse(payload.toString()) as Record<string, unknown>;
const payload = attestationPayload(attestedErasure, attestedSubjects);
const altered = (change: object) => Buffer.from(JSON.stringify({ ...parsed(payload), ...change }));

describe('the payload of an attestation', () => {
  it('is a statement of in-toto about the receipt and the events, with their digests in hex', () => {
    expect(parsed(payload)).toEqual({
      _type: 'https://in-toto.io/Statement/v1',
      subject: [
        {
          name: 'receipt',
          digest: { sha256: '0697c1c3b8af57cab68cb893d7968478c56647237746066b27c50b7567dd08a1' },
        },
        {
          name: 'events',
          digest: { sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855' },
        },
      ],
      predicateType: ATTESTATION_TYPE,
      predicate: attestedErasure,
    });
  });

  it('is the same in whatever order fields come, and holds no field that the schema does not name', () => {
    const turned = Object.fromEntries(Object.entries(attestedErasure).reverse()) as typeof attestedErasure;
    const more = {
      ...turned,
      email: 'planted',
      participants: turned.participants.map((one) => ({ ...one, planted: 1 })),
    };
    expect(attestationPayload(more, attestedSubjects).equals(payload)).toBe(true);
    expect(attestationPayload({ ...turned, startedAt: undefined }, attestedSubjects).toString()).not.toContain(
      'startedAt',
    );
  });

  it('is read back to what was put in, also where little is known', () => {
    for (const attestation of [attestedErasure, attestedCancellation])
      for (const subjects of [attestedSubjects, { events: attestedSubjects.events }])
        expect(readAttestation(attestationPayload(attestation, subjects))).toEqual({ attestation, subjects });
  });

  it('is refused with the place where it is another thing', () => {
    expect(readAttestation(Buffer.from('{'))).toEqual({ kind: 'statement-type', at: '/_type' });
    expect(readAttestation(Buffer.from('null'))).toEqual({ kind: 'statement-type', at: '/_type' });
    expect(readAttestation(Buffer.from([0x22, 0xff, 0x22]))).toEqual({ kind: 'statement-type', at: '/_type' });
    expect(readAttestation(altered({ _type: 'https://in-toto.io/Statement/v2' }))).toMatchObject({
      kind: 'statement-type',
    });
    expect(readAttestation(altered({ predicateType: `${ATTESTATION_TYPE}/v2` }))).toMatchObject({
      kind: 'predicate-type',
    });
    expect(readAttestation(altered({ predicate: { ...attestedErasure, outcome: 'lost' } }))).toEqual({
      kind: 'schema',
      at: '/predicate/outcome',
    });
    expect(readAttestation(altered({ subject: [] }))).toEqual({ kind: 'schema', at: '/subject' });
  });
});

describe('the schema of an attestation', () => {
  const ajv = new Ajv2020({ strict: true, allErrors: true });
  (addFormats as unknown as (instance: Ajv2020) => void)(ajv);
  const fits = ajv.compile(ATTESTATION_SCHEMA);
  const values = [
    undefined,
    null,
    '',
    'x',
    -1,
    0.5,
    0,
    7,
    true,
    [],
    {},
    ['x'],
    [{}],
    '2026-13-05T10:00:00Z',
    '2026-01-05',
  ];

  /** The value with another one at each of its places in turn. */
  function* changed(value: unknown): Generator {
    if (typeof value === 'object' && value !== null)
      for (const [name, part] of Object.entries(value))
        for (const other of changed(part))
          yield Array.isArray(value) ? value.with(Number(name), other) : { ...value, [name]: other };
    yield* values;
  }

  it('is judged as a validator of JSON Schema judges it, whatever is changed', () => {
    const judged = [attestedErasure, attestedCancellation, ...changed(attestedErasure)].map((value) => {
      const written: unknown = value === undefined ? null : JSON.parse(JSON.stringify(value));
      return [fits(written), fault(ATTESTATION_SCHEMA, written) === undefined] as const;
    });
    expect(judged.slice(0, 2)).toEqual(Array(2).fill([true, true]));
    expect(judged.filter(([one, other]) => one !== other)).toEqual([]);
    expect(judged.filter(([isFit]) => !isFit).length).toBeGreaterThan(300);
  });

  it('allows fields of later versions', () => {
    expect(fault(ATTESTATION_SCHEMA, { ...attestedErasure, later: {} })).toBeUndefined();
  });
});
