import perfHooks from 'node:perf_hooks';
import { createAdapter, defaultLimits } from '@opendsr-service/edge';
import { serveMetrics } from './metrics';

it('looks at the event loop twenty times a second once metrics are read, and before that never', async () => {
  const looking = jest.spyOn(perfHooks, 'monitorEventLoopDelay');
  const adapter = createAdapter(defaultLimits);
  serveMetrics(adapter, []);
  expect(looking).not.toHaveBeenCalled();
  for (let scrapes = 0; scrapes < 2; scrapes++) await adapter.getInstance().inject('/metrics');
  expect(looking.mock.calls).toEqual([[{ resolution: 50 }]]);
  looking.mockRestore();
});
