import { ManualClock, OwnProcess, type Sample } from '@opendsr-service/service';
import { processAnswer } from './process-answer';

const gauge = (read: () => readonly Sample[]) => ({
  name: 'opendsr_parked_records',
  help: 'x',
  labels: ['kind'],
  read,
});

it('knows how many records are parked only once all services of the process have counted theirs', async () => {
  const [own, clock] = [new OwnProcess('standalone', []), new ManualClock(new Date(0))];
  const ready = () => Promise.resolve({ status: 'ok' as const, checks: {} });
  let late: readonly Sample[] = [];
  own.attach(ready, [gauge(() => [{ labels: { kind: 'blocking' }, value: 4 }]), gauge(() => late)]);
  const parked = async () => (await processAnswer(own, clock.now())).parked;
  expect(await parked()).toBeNull();
  late = [{ labels: { kind: 'aside' }, value: 63 }];
  expect(await parked()).toEqual({ blocking: 4, aside: 63 });
});
