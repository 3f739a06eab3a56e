import { ChildService } from '../e2e/child-service';

// A tool that starts a service as benchmark and demo do, and is then broken off by its spec.
const service = ChildService.spawn({
  name: 'service',
  args: ['--eval', 'setInterval(() => undefined, 60_000)'],
  env: {},
});
console.log(service.pid);
