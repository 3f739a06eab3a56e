import { ApiContract } from './contract';

const number = { type: 'object', additionalProperties: false, required: ['n'], properties: { n: { type: 'integer' } } };
const json = (examples: object = {}) => ({
  'application/json': { schema: { $ref: '#/components/schemas/Number' }, examples },
});
const contract = new ApiContract({
  paths: {
    '/things': {
      post: {
        requestBody: { content: json({ bad: { value: { n: 'x' } }, good: { value: { n: 1 } } }) },
        responses: { 201: { $ref: '#/components/responses/Made' }, default: { content: json() } },
      },
    },
    '/things/{id}': { get: { responses: { 202: {} } } },
  },
  components: {
    schemas: { Number: number },
    responses: {
      Made: {
        headers: { 'X-Needed': { required: true }, 'Retry-After': { schema: { type: 'integer' } } },
        content: json(),
      },
    },
  },
});

const answer = (body: object | undefined, headers: Record<string, string> = { 'x-needed': 'a' }, status = 201) => ({
  status,
  headers: new Headers({ 'content-type': 'application/json; charset=utf-8', date: 'today', ...headers }),
  body: Buffer.from(body === undefined ? '' : JSON.stringify(body)),
});
const faults = (...given: Parameters<typeof answer>) => contract.faultsOfAnswer('POST', '/things/', answer(...given));

it('finds nothing in an answer that is as the document has it', () => {
  expect(faults({ n: 1 })).toEqual([]);
  expect(faults({ n: 1 }, { 'x-needed': 'a', 'retry-after': '3' })).toEqual([]);
  expect(faults({ n: 1 }, {}, 405)).toEqual([]);
  expect(contract.faultsOfAnswer('GET', '/things/7?x=1', answer(undefined, {}, 202))).toEqual([]);
});

it.each<[string, Parameters<typeof answer>]>([
  ['a field too many', [{ n: 1, more: 1 }]],
  ['a field of another type', [{ n: '1' }]],
  ['a header that is missing', [{ n: 1 }, {}]],
  ['a header that the document does not know', [{ n: 1 }, { 'x-needed': 'a', 'x-other': 'b' }]],
  ['a header that is no number', [{ n: 1 }, { 'x-needed': 'a', 'retry-after': 'soon' }]],
  ['a content type that the document does not know', [{ n: 1 }, { 'x-needed': 'a', 'content-type': 'text/plain' }]],
  ['a success that the document does not know', [{ n: 1 }, { 'x-needed': 'a' }, 200]],
  ['an error in another body', [{ n: 1, message: 'no' }, {}, 404]],
])('finds %s', (_what, given) => {
  expect(faults(...given)).toHaveLength(1);
});

it('finds a body where none is documented, and an address or a method that is not', () => {
  expect(contract.faultsOfAnswer('GET', '/things/7', answer({ n: 1 }, {}, 202))).toHaveLength(1);
  expect(contract.faultsOfAnswer('GET', '/elsewhere', answer({ n: 1 }))).toEqual(['GET /elsewhere is not documented']);
  expect(contract.faultsOfAnswer('DELETE', '/things', answer({ n: 1 }))).toEqual(['DELETE /things is not documented']);
});

it('holds bodies and examples against their schemas', () => {
  expect(contract.faultsOfBody('POST', '/things', { n: 1 })).toEqual([]);
  expect(contract.faultsOfBody('POST', '/things', {})).toHaveLength(1);
  expect(contract.faultsOfExamples()).toEqual([expect.stringContaining('/examples/bad: /n must be integer')]);
});
