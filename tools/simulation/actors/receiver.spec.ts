import type { SignedCallback } from '@opendsr-service/callback-dispatcher';
import { Chance } from '../engine/chance';
import type { Gate, Work } from '../engine/step';
import { VirtualTime } from '../engine/virtual-time';
import { History } from '../history';
import { Leases } from '../stores/leases';
import { Receiver } from './receiver';

const PATIENCE_MS = 15_000;
const owner = { name: 'process', isAlive: true };
const callback: SignedCallback = {
  ws: 'acme',
  url: 'https://a.example',
  headers: {},
  body: Buffer.from(JSON.stringify({ subject_request_id: 'one', request_status: 'pending' })),
};

/** Every receiver takes its time, the longest there is, and refuses nothing. */
class Slow extends Chance {
  override happens(probability: number): boolean {
    return probability > 0.3;
  }
  override between(_least: number, most: number): number {
    return most;
  }
}

let time: VirtualTime;
let history: History;
let asked: Work<unknown>[];

/** The outcome of a callback to a slow receiver with these jumps of time during its wait and before its turn. */
async function outcomeOf({ jumpMs, turnMs = 0 }: { readonly jumpMs: number; readonly turnMs?: number }) {
  const gate: Gate = {
    enter: async <T>(_owner: unknown, work: Work<T>): Promise<T> => {
      asked.push(work);
      time.moveTo(time.ms + turnMs);
      return work.run('done');
    },
  };
  const receiver = new Receiver({
    gate,
    history,
    chance: new Slow(1),
    leases: new Leases(),
    time,
    isRough: () => true,
  });
  const sent = receiver.senderOf(owner).post(callback);
  time.moveTo(time.ms + jumpMs);
  return sent;
}

beforeEach(() => {
  [time, history, asked] = [new VirtualTime(0), new History(), []];
});

it('takes a callback within the patience of its sender, of which a wait that ended late leaves less', async () => {
  expect(await outcomeOf({ jumpMs: PATIENCE_MS - 1 })).toMatchObject({ kind: 'delivered' });
  expect(asked.map(({ patienceMs }) => patienceMs)).toEqual([1]);
  expect(history.sendings).toMatchObject([{ beganMs: 0, takenMs: PATIENCE_MS - 1 }]);
});

it.each([{ jumpMs: PATIENCE_MS }, { jumpMs: 4 * PATIENCE_MS }, { jumpMs: PATIENCE_MS - 1, turnMs: 1 }])(
  'takes none whose sender has given up: %o',
  async (jumps) => {
    expect(await outcomeOf(jumps)).toMatchObject({ kind: 'failed', reason: 'timeout' });
    expect(history.taken).toEqual([]);
    expect(history.sendings).toEqual([expect.not.objectContaining({ takenMs: expect.anything() as unknown })]);
  },
);
