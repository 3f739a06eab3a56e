import { Ledger } from './ledger';

const acknowledged = (key: string, n: number, sentAt: number) => ({ key, n, sentAt, at: sentAt + 1 });
const handled = (key: string, n: number, partition: number, at: number) => ({ key, n, partition, at });

describe('the ledger of the fault suite', () => {
  it('finds a record that was acknowledged and never took effect', () => {
    const ledger = new Ledger();
    [0, 1, 2].forEach((n) => ledger.noteAcknowledged(acknowledged('a', n, n)));
    ledger.noteHandled('first', [handled('a', 0, 0, 5), handled('a', 2, 0, 6)]);
    expect(ledger.lost('first')).toEqual(['a 1']);
  });

  it('counts repeats as duplicates, not as disorder', () => {
    const ledger = new Ledger();
    ledger.noteHandled('first', [
      handled('a', 0, 0, 1),
      handled('a', 1, 0, 2),
      handled('a', 0, 0, 3),
      handled('a', 1, 0, 4),
      handled('a', 2, 0, 5),
    ]);
    expect([ledger.duplicates('first'), ledger.disordered('first')]).toEqual([2, []]);
  });

  it('finds a record that overtook another one of its key, also between two processes', () => {
    const ledger = new Ledger();
    ledger.noteHandled('second', [handled('a', 1, 0, 3), handled('b', 0, 1, 4)]);
    ledger.noteHandled('second', [handled('a', 0, 0, 5)]);
    expect(ledger.disordered('second')).toEqual(['a 0']);
  });

  it('dates the end of a fault by the last partition with a record that was sent after it', () => {
    const ledger = new Ledger();
    ledger.noteAcknowledged(acknowledged('a', 0, 90));
    ledger.noteAcknowledged(acknowledged('a', 1, 110));
    ledger.noteAcknowledged(acknowledged('b', 0, 120));
    ledger.noteHandled('first', [handled('a', 0, 0, 105), handled('a', 1, 0, 130)]);
    expect(ledger.consumingAgainAt('first', 100, 2)).toBeUndefined();
    ledger.noteHandled('first', [handled('b', 0, 1, 150)]);
    expect([ledger.consumingAgainAt('first', 100, 2), ledger.acknowledgingAgainAt(100, 2)]).toEqual([150, 121]);
  });
});
