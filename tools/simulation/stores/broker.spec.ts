import { Broker } from './broker';

const record = (key: string, value: string) => ({ key, value, headers: {} });
const values = (broker: Broker<string>): string[] => broker.recordsOf('t').map(({ value }) => value.toString());
const write = (broker: Broker<string>, ...records: ReturnType<typeof record>[]): void =>
  broker.batchesOf('t', records).forEach((batch) => broker.write(batch));

it('keeps the records of one key in one partition and in their order', () => {
  const broker = new Broker<string>(() => 0);
  write(broker, record('a', '1'), record('a', '2'));
  write(broker, record('a', '3'));
  expect(values(broker)).toEqual(['1', '2', '3']);
});

it('writes what is late when it arrives, behind what was written meanwhile', () => {
  const broker = new Broker<string>(() => 0);
  broker.batchesOf('t', [record('a', 'late')]).forEach((batch) => broker.writeLater(batch));
  write(broker, record('a', 'early'));
  expect(broker.lateBatches).toBe(1);
  broker.arrive(0);
  expect(values(broker)).toEqual(['early', 'late']);
});

it('reports a record only if it was not lost, and readers skip the gap', () => {
  const broker = new Broker<string>(() => 0);
  const heard: string[] = [];
  broker.heard = ({ value }) => heard.push(value.toString());
  broker.isLost = (_batch, { value }) => value === '1';
  broker.join('group', 't', 'member');
  write(broker, record('a', '1'), record('a', '2'));
  const seat = broker.seatsHeldBy('member').find((one) => broker.hasMore(one, 0));
  expect({ heard, read: seat && broker.read(seat, 0, 10).next }).toEqual({ heard: ['2'], read: 2 });
});

it('shares the seats of a topic between the members of a group, and gives those of one that leaves to the others', () => {
  const broker = new Broker<string>(() => 0);
  broker.join('group', 't', 'one');
  broker.join('group', 't', 'other');
  expect(broker.seatsHeldBy('one').length + broker.seatsHeldBy('other').length).toBe(3);
  broker.leave('group', 't', 'one');
  expect(broker.seatsHeldBy('other')).toHaveLength(3);
});
