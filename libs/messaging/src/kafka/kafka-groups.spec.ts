import type { Admin, Kafka } from 'kafkajs';
import { KafkaGroups } from './kafka-groups';

const ofType = (type: string) => Object.assign(new Error(type), { name: 'KafkaJSProtocolError', type });

/** A cluster whose answers about groups come in this order; what is an error is thrown. */
function groupsAnswering(...answers: unknown[]) {
  const asked: string[] = [];
  const answer = (what: string) => () => {
    asked.push(what);
    const next = answers.shift();
    return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
  };
  const admin = {
    connect: () => Promise.resolve(),
    disconnect: () => Promise.resolve(),
    describeGroups: answer('describe'),
    deleteGroups: answer('delete'),
  };
  const kafka = { admin: () => admin as unknown as Admin } as Kafka;
  return { asked, groups: new KafkaGroups(() => kafka) };
}

describe('groups of a cluster', () => {
  it.each(['GROUP_COORDINATOR_NOT_AVAILABLE', 'GROUP_LOAD_IN_PROGRESS', 'NOT_COORDINATOR_FOR_GROUP'])(
    'are asked for again after the transient error %s',
    async (type) => {
      const { asked, groups } = groupsAnswering(
        ofType(type),
        { groups: [{ members: [{}] }] },
        Object.assign(new Error('not deleted'), { groups: [{ errorCode: 14, error: ofType(type) }] }),
        [],
      );
      expect(await groups.hasMembers('group')).toBe(true);
      await groups.rewind('group');
      expect(asked).toEqual(['describe', 'describe', 'delete', 'delete']);
    },
  );

  it('are away while no broker can be reached', async () => {
    const { asked, groups } = groupsAnswering(Object.assign(new Error('refused'), { name: 'KafkaJSConnectionError' }));
    await expect(groups.hasMembers('group')).rejects.toMatchObject({ name: 'LogAway' });
    expect(asked).toEqual(['describe']);
  });
});
