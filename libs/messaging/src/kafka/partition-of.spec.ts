import { Partitioners } from 'kafkajs';
import { partitionOf } from './partition-of';

describe('the partition of a key', () => {
  it('is the one that kafkajs chooses, like every client that is compatible with Java', () => {
    const choose = Partitioners.DefaultPartitioner();
    const partitionMetadata = Array.from({ length: 12 }, (_, partitionId) => ({
      partitionId,
      partitionErrorCode: 0,
      leader: 1,
      replicas: [1],
      isr: [1],
    }));
    const letters = 'aZ0:ä漢😀\u0000';
    const keys = Array.from({ length: 2_000 }, (_, n) => `${'x'.repeat(n % 9)}${[...letters][n % 8]}${n.toString(36)}`);
    const theirs = keys.map((key) => choose({ topic: 't', partitionMetadata, message: { key, value: '' } }));
    expect(keys.map((key) => partitionOf(key, 12))).toEqual(theirs);
  });
});
