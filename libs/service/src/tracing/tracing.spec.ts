import { join } from 'node:path';
import { startCollector } from '../testing/collector';
import { loadedModules } from '../testing/loaded-modules';
import { bundleChild, Child, itInFull } from '../testing/run-child';

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';

let bundle: Awaited<ReturnType<typeof bundleChild>>;
let collector: Awaited<ReturnType<typeof startCollector>>;
const children: Child[] = [];

beforeAll(async () => {
  [bundle, collector] = await Promise.all([bundleChild(), startCollector()]);
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await Promise.all([bundle.remove(), collector.close()]);
});

async function start(env: Record<string, string>) {
  const child = new Child(bundle.file, env);
  children.push(child);
  const { port } = (await child.line('"Listening"')) as { port: number };
  const ask = (path: string) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers: { traceparent: `00-${TRACE_ID}-b7ad6b7169203331-01` } });
  return { child, ask };
}

itInFull('loads nothing of the SDK where traces are off', async () => {
  const sdk = /node_modules\/@opentelemetry\/(?!api\/)/;
  const { atStart, later } = await loadedModules(join(__dirname, '../testing/child.ts'));
  expect(atStart.filter((file) => sdk.test(file))).toEqual([]);
  expect(later.filter((file) => /@opentelemetry\/(sdk-trace|exporter-trace-otlp-proto)\//.test(file))).not.toEqual([]);
});

it('sends spans to the collector as protobuf, with its headers and under its name, at the latest when the process stops', async () => {
  const { child, ask } = await start({
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.port}`,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=secret',
    OTEL_RESOURCE_ATTRIBUTES: 'team=privacy',
  });
  expect((await ask('/slow?planted=1')).status).toBe(200);
  child.kill('SIGTERM');
  expect(await child.ended).toBe(0);
  const [sending] = collector.sendings;
  expect(sending).toMatchObject({
    path: '/v1/traces',
    headers: { 'content-type': 'application/x-protobuf', 'x-key': 'secret' },
  });
  for (const text of ['opendsr-child', 'team', 'GET /slow', Buffer.from(TRACE_ID, 'hex')])
    expect(sending?.body.includes(text)).toBe(true);
  expect(sending?.body.includes('planted')).toBe(false);
});

itInFull('writes spans to stdout where that is asked for', async () => {
  const { child, ask } = await start({ OTEL_TRACES_EXPORTER: 'console', OTEL_SERVICE_NAME: 'mine' });
  await ask('/slow');
  child.kill('SIGTERM');
  expect(await child.ended).toBe(0);
  expect(child.output).toContain("name: 'GET /slow'");
  expect(child.output).toContain("'service.name': 'mine'");
});

itInFull(
  'does its work and stops in time though the collector is away, and says so once, without its address',
  async () => {
    const { child, ask } = await start({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://user:secret@127.0.0.1:1',
      OTEL_BSP_SCHEDULE_DELAY: '1',
      OTEL_EXPORTER_OTLP_TIMEOUT: '50',
      STOP_TIMEOUT_MS: '10s',
    });
    for (let times = 0; times < 3; times++) expect((await ask('/slow')).status).toBe(200);
    await child.line('Traces cannot be exported');
    child.kill('SIGTERM');
    expect(await child.ended).toBe(0);
    expect(child.output.split('Traces cannot be exported')).toHaveLength(2);
    expect(child.output + child.complaint).not.toMatch(/secret/);
  },
);

itInFull('does not start with a protocol that it does not speak', async () => {
  const child = new Child(bundle.file, { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' });
  children.push(child);
  expect([await child.ended, child.complaint]).toEqual([
    1,
    'child: OTEL_EXPORTER_OTLP_PROTOCOL: must be http/protobuf\n',
  ]);
});
