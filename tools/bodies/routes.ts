import { randomUUID } from 'node:crypto';
import { elementShapes, type Shape, valueShapes } from './shapes';

/** Where in a body something is put, as JSON text. */
interface Place {
  readonly name: string;
  /** The body around it. */
  readonly around: (value: string) => string;
  /** Shapes for this place only. */
  readonly shapes?: Readonly<Record<string, Shape>>;
}

/** An endpoint that reads a body. */
export interface Route {
  readonly name: string;
  readonly method: 'POST' | 'DELETE';
  readonly path: string;
  /** Internal routes answer on another port. */
  readonly isInternal?: boolean;
  readonly mostBytes: number;
  readonly places: readonly Place[];
  /** A body that is taken, of about so many bytes; a new one each time. */
  readonly valid?: Shape;
}

/** A body that is to be sent. */
export interface Body {
  readonly route: Route;
  readonly name: string;
  readonly text: () => string;
  /** It is sent in chunks of this size. */
  readonly chunkBytes?: number;
}

const KIB = 1_024;
const [PUBLIC_BYTES, BATCH_BYTES, ORDER_BYTES] = [256 * KIB, 128 * KIB, 1_024 * KIB];
const ANYWHERE: Place = { name: 'anywhere', around: (value) => `{"x":${value}}` };
const ALONE: Place = { name: 'the body', around: (value) => value };

const textOf = (json: object): string => JSON.stringify(json);
const within = (fields: () => object, name: string): Place => ({
  name,
  around: (value) => `${textOf(fields()).slice(0, -1)},"${name}":${value}}`,
});

/** A list of elements, each another one, in a body that is as long as may be. */
const filled =
  (around: (list: string) => string, element: (n: number) => string): Shape =>
  (bytes) => {
    const elements: string[] = [];
    let left = bytes - Buffer.byteLength(around(''));
    for (let next = element(0); left > next.length; next = element(elements.length)) {
      elements.push(next);
      left -= next.length + 1;
    }
    return around(elements.join(','));
  };

const create = (v1: boolean) => ({
  ...(!v1 && { regulation: 'gdpr' }),
  subject_request_id: randomUUID(),
  subject_request_type: 'access',
  submitted_time: '2026-01-01T00:00:00Z',
});
const raw = (value: string) => textOf({ identity_type: 'email', identity_value: value, identity_format: 'raw' });
const MPIDS = 10_000;
const FEW_DIGITS = 1e14;

const someIdentity = (n: number) => raw(`${n}-${randomUUID()}@example.com`);
const ownKey = (v1: boolean) => (v1 ? 'opengdpr.localhost' : 'opendsr.localhost');

function creates(name: string, path: string, v1: boolean): Route[] {
  const people = { subject_identities: [{ identity_type: 'email', identity_value: 'a', identity_format: 'raw' }] };
  const inExtension = (field: string): Place => ({
    name: field,
    around: (value) => `${textOf(create(v1)).slice(0, -1)},"extensions":{"${ownKey(v1)}":{"${field}":${value}}}}`,
  });
  const bare = raw('a').replace(',"identity_format":"raw"', '');
  return [
    {
      name,
      method: 'POST',
      path,
      mostBytes: PUBLIC_BYTES,
      places: [
        ANYWHERE,
        {
          ...within(() => create(v1), 'subject_identities'),
          shapes: elementShapes(raw('a'), raw('').replace('email', 'x')),
        },
        {
          name: 'identity_value',
          around: (value) =>
            `${textOf(create(v1)).slice(0, -1)},"subject_identities":[{"identity_type":"email","identity_value":${value},"identity_format":"raw"}]}`,
        },
        { ...inExtension('mpids'), shapes: elementShapes('1', '"x"') },
        { ...inExtension('identities'), shapes: elementShapes(bare, bare.replace('email', 'x')) },
        {
          ...within(() => ({ ...create(v1), ...people }), 'status_callback_urls'),
          shapes: elementShapes('"https://a.example/"', '"https://10.0.0.1/"'),
        },
        ...['submitted_time', 'group_id', 'subject_request_id', 'extensions'].map((field) =>
          within(() => ({ ...create(v1), ...people }), field),
        ),
      ],
      valid: (bytes) =>
        filled((list) => `${textOf(create(v1)).slice(0, -1)},"subject_identities":[${list}]}`, someIdentity)(bytes),
    },
    {
      name: `${name} of mpids`,
      method: 'POST',
      path,
      mostBytes: PUBLIC_BYTES,
      places: [],
      valid: () =>
        textOf({
          ...create(v1),
          extensions: {
            [ownKey(v1)]: {
              mpids: Array.from({ length: MPIDS }, () => String(Math.floor(Math.random() * FEW_DIGITS))),
            },
          },
        }),
    },
  ];
}

/** A new person each time: the body is measured, not a growing profile. */
const who = () => ({ user_identities: { customer_id: randomUUID() } });
const attribute = (n: number) => `"k${n}":"${'v'.repeat(20)}"`;
const validIdentify: Shape = (bytes) => {
  const person = textOf(who()).slice(0, -1);
  return filled((list) => `${person},"user_attributes":{${list}}}`, attribute)(bytes);
};
const identityPlaces: readonly Place[] = [
  { name: 'user_identities', around: (value) => `{"user_identities":${value}}` },
  { name: 'email', around: (value) => `{"user_identities":{"email":${value}}}` },
  ...['user_attributes', 'ip', 'context', 'environment'].map((field) => within(who, field)),
];
const identity = (path: string, places: readonly Place[] = []): Route => ({
  name: path,
  method: 'POST',
  path,
  mostBytes: PUBLIC_BYTES,
  places: [ANYWHERE, ...places],
  valid: validIdentify,
});

const event = `{"event_type":"custom_event","data":{"a":"${'b'.repeat(40)}"}}`;
const batch = (bytes: number, person = 'bodies'): string =>
  filled(
    (list) => `{"user_identities":{"customer_id":"${person}"},"events":[${list}]}`,
    () => event,
  )(bytes);
const BATCHES = 95;
const change = (n: number) => textOf({ identity_type: 'other', new_value: `${n}-${randomUUID()}` });

/** Every endpoint of the service that reads a body. `mpid`: that of a profile. */
export const routesOf = (mpid: string): readonly Route[] => [
  ...creates('v2 create', '/v2/requests', false),
  ...creates('v1 create', '/v1/opengdpr_requests', true),
  {
    name: 'cancel',
    method: 'DELETE',
    path: `/v2/requests/${randomUUID()}`,
    mostBytes: PUBLIC_BYTES,
    places: [ANYWHERE],
  },
  {
    name: 'replay',
    method: 'POST',
    path: `/v2/requests/${randomUUID()}/callbacks/${randomUUID()}/replay`,
    mostBytes: PUBLIC_BYTES,
    places: [ANYWHERE],
  },
  identity('/v1/identify', identityPlaces),
  identity('/v1/login'),
  identity('/v1/logout'),
  identity('/v1/search'),
  {
    name: 'modify',
    method: 'POST',
    path: `/v1/${mpid}/modify`,
    mostBytes: PUBLIC_BYTES,
    places: [
      ANYWHERE,
      {
        name: 'identity_changes',
        around: (value) => `{"identity_changes":${value}}`,
        shapes: elementShapes(change(0), '{"identity_type":"x"}'),
      },
      { name: 'new_value', around: (value) => `{"identity_changes":[{"identity_type":"other","new_value":${value}}]}` },
    ],
    valid: () => textOf({ identity_changes: Array.from({ length: 100 }, (_, n) => JSON.parse(change(n)) as object) }),
  },
  {
    name: 'events',
    method: 'POST',
    path: '/v2/events',
    mostBytes: BATCH_BYTES,
    places: [
      ANYWHERE,
      { ...within(who, 'events'), shapes: elementShapes(event, '{"event_type":""}') },
      {
        name: 'event_type',
        around: (value) => `{"user_identities":{"customer_id":"bodies"},"events":[{"event_type":${value}}]}`,
      },
      ...['ip', 'source_request_id', 'mpid'].map((field) => within(() => ({ ...who(), events: [] }), field)),
    ],
    valid: (bytes) => batch(bytes),
  },
  {
    name: 'bulkevents',
    method: 'POST',
    path: '/v2/bulkevents',
    mostBytes: PUBLIC_BYTES,
    places: [
      {
        ...ALONE,
        shapes: elementShapes('{"user_identities":{"customer_id":"bodies"},"events":[]}', '{"events":[{}]}'),
      },
      ...['{}', '0', '[]', '{"event_type":""}', event].map((element): Place => ({
        name: `${BATCHES} batches of ${element}`,
        around: (value) => value,
        shapes: {
          events: (bytes) =>
            `[${Array.from({ length: BATCHES }, () => `{"user_identities":{"customer_id":"bodies"},"events":[${listed95(element, bytes)}]}`).join(',')}]`,
        },
      })),
    ],
    valid: (bytes) => `[${Array.from({ length: BATCHES }, () => batch(Math.floor(bytes / BATCHES) - 1)).join(',')}]`,
  },
  {
    name: 'exports',
    method: 'POST',
    path: '/internal/exports',
    isInternal: true,
    mostBytes: ORDER_BYTES,
    places: [ANYWHERE],
    valid: (bytes) => textOf({ ws: 'w', srid: randomUUID(), kid: 'k', identities: 'x'.repeat(bytes - 100) }),
  },
];

const AROUND_EVENTS = 62;
const listed95 = (element: string, bytes: number): string => {
  const each = Math.floor(bytes / BATCHES) - AROUND_EVENTS;
  return Array.from({ length: Math.floor(each / (element.length + 1)) }, () => element).join(',');
};

/** The worst bodies of a route that its places and their shapes make, each as long as the route takes. */
export function worstBodies(route: Route): Body[] {
  const inChunks = {
    route,
    name: 'the smallest chunks that a whole body may have',
    text: () => ' '.repeat(route.mostBytes),
    chunkBytes: 16,
  };
  const inPlaces = route.places.flatMap(({ name, around, shapes = {} }) => {
    const room = route.mostBytes - Buffer.byteLength(around(''));
    const isAlone = Object.keys(shapes).length === 1;
    return Object.entries(isAlone ? shapes : { ...valueShapes, ...shapes }).map(([shape, make]) => ({
      route,
      name: `${name}: ${shape}`,
      text: () => around(make(room)),
    }));
  });
  return [inChunks, ...inPlaces];
}
