import { ChildService, type Environment } from '../e2e/child-service';
import { itInFull } from '../e2e/full';
import { startStandalone } from '../e2e/standalone';

type Standalone = Awaited<ReturnType<typeof startStandalone>>;

const demo = (env: Environment) =>
  ChildService.spawn({ name: 'demo', args: ['tools/run.mjs', 'tools/demo/demo.ts'], env });

describe('the demo', () => {
  let service: Standalone;
  beforeAll(async () => {
    // An access contains events of the moment before it only if they have reached the store by its start.
    service = await startStandalone({ ACCESS_WAIT_MS: '3s' });
  });
  afterAll(() => service.stop());

  it('passes on a sandbox, and leaves it running', async () => {
    const child = demo({ DSR_URL: service.baseUrls[0] ?? '', DATA_DIR: service.dataDir });
    const code = await child.exit();
    expect(child.output).toMatch(/All \d+ checks passed\.\n$/);
    expect(child.output).toMatch(/its log holds it\n.* entry \d+ of the log, signed 20/);
    expect({ code, running: service.processes.map(({ running }) => running) }).toEqual({ code: 0, running: [true] });
  });

  itInFull(
    'runs again on its own data with another receiver name, and fails with a check: a domain outside the allow list',
    async () => {
      const [url = ''] = service.baseUrls;
      const child = demo({
        DSR_URL: url,
        DSR_INGEST_URL: url,
        DATA_DIR: service.dataDir,
        DEMO_RECEIVER_HOST: 'localhost',
        PROCESSOR_DOMAIN_V2: 'somebody.else.example',
      });
      expect(await child.exit()).toBe(1);
      expect(child.output).toContain(
        '✗ callback pending: domain, certificate, signature and address are right: domain: the processor domain is not in the allow list',
      );
      expect(child.output).toContain('✓ the results link answers 404: nothing is held');
    },
  );

  itInFull('prints one line if nothing answers at the given address', async () => {
    const child = demo({ DSR_URL: 'http://127.0.0.1:1' });
    expect(await child.exit()).toBe(1);
    expect(child.errorOutput).toBe('demo: no service answers at http://127.0.0.1:1\n');
  });
});
