import 'reflect-metadata';
import { createHash, randomUUID } from 'node:crypto';
import { VERSIONS } from '@opendsr-service/contracts';
import { serveForTests } from '../../testing/serve-for-tests';
import { namedSigners } from '../../testing/service';

const signers = namedSigners();
const here = serveForTests({}, signers);

describe.each(VERSIONS)('reads of a request in version $apiVersion', (version) => {
  const requests = `/${version.root}/${version.requestsRoute}`;
  const signer = signers[version.root as keyof typeof signers];
  let path: string;
  const read = (ifNoneMatch?: string, method = 'GET') =>
    here.service.send(method, path, ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch });
  const tagOf = async () => (await read()).headers.get('etag') ?? '';
  const create = (id: string, group_id: string) =>
    here.service.call('POST', requests, {
      body: {
        ...(version.hasRegulation && { regulation: 'gdpr' }),
        subject_request_id: id,
        subject_request_type: 'erasure',
        submitted_time: '2026-11-20',
        group_id,
        subject_identities: [{ identity_type: 'email', identity_value: `${id}@example.com`, identity_format: 'raw' }],
      },
    });

  beforeEach(async () => {
    const id = randomUUID();
    path = `${requests}/${id}`;
    expect((await create(id, id)).status).toBe(201);
  });

  it('carry a strong tag of exactly the signed bytes', async () => {
    const answer = await read();
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(answer.headers.get('etag')).toBe(`"${createHash('sha256').update(bytes).digest('base64url')}"`);
    expect(answer.headers.get(version.signatureHeader)).not.toBeNull();
  });

  it('are answered 304 without body, type and signature to a caller that sends the tag', async () => {
    const tag = await tagOf();
    const made = signer.made;
    for (const header of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const { status, headers, body } = await read(header);
      expect([status, body, headers.get('etag'), headers.get('cache-control')]).toEqual([304, null, tag, 'no-store']);
      const absent = ['content-type', version.domainHeader, version.signatureHeader];
      expect(absent.filter((name) => headers.has(name))).toEqual([]);
      expect(headers.has('x-request-id') && headers.has('date')).toBe(true);
    }
    expect(signer.made).toBe(made);
  });

  it('are answered 304 to HEAD too, without a length, which would be that of the record', async () => {
    const { status, headers } = await read(await tagOf(), 'HEAD');
    expect([status, headers.get('content-length')]).toEqual([304, null]);
  });

  it('are complete and signed for other tags, and again once the record changes', async () => {
    const tag = await tagOf();
    expect((await read('"other", W/"more"')).status).toBe(200);
    expect((await here.service.call('DELETE', path)).status).toBe(202);
    const changed = await read(tag);
    expect([changed.status, changed.headers.has(version.signatureHeader)]).toEqual([200, true]);
    expect(changed.headers.get('etag')).not.toBe(tag);
    expect(await changed.json()).toMatchObject({ request_status: 'cancelled' });
  });

  it('keep their tag under a new certificate, because the bytes are the same', async () => {
    const tag = await tagOf();
    await here.service.renew(signer);
    expect([(await read(tag)).status, await tagOf()]).toEqual([304, tag]);
  });

  it('are refused before any tag is compared', async () => {
    const known = path;
    path = `${requests}/${randomUUID()}`;
    expect((await read('*')).status).toBe(404);
    const wrong = { 'if-none-match': '*', authorization: 'Basic x' };
    expect((await here.service.send('GET', known, wrong)).status).toBe(401);
  });

  it('are the only answers with a tag: creates, lists and cancels have none and ignore conditions', async () => {
    const [id, any] = [randomUUID(), { 'if-none-match': '*' }];
    const answers = [
      await create(id, id),
      await here.service.send('GET', `${requests}?group_id=${id}`, any),
      await here.service.send('DELETE', `${requests}/${id}`, any),
    ];
    expect(answers.map(({ status, headers }) => [status, headers.get('etag')])).toEqual([
      [201, null],
      [200, null],
      [202, null],
    ]);
  });
});
