import { until } from '@opendsr-service/messaging/testing';
import { embeddedStorage } from '@opendsr-service/storage/testing';
import { Service } from '../testing/service';
import { World } from '../testing/world';
import { auditedLeafId } from './audited-leaves';
import { auditedLeavesContract } from './audited-leaves.contract';

auditedLeavesContract('the embedded store', embeddedStorage);

it('a gateway publishes such leaves while it runs', async () => {
  const world = await World.open();
  try {
    await world.parts.connection.collection<{ _id: string }>('audit').insertOne({
      ...{ _id: 'lost', ws: 'acme', srid: 's', action: 'identities-shown', by: 'ops', at: new Date(0) },
    });
    const service = await Service.start(world, { SWEEP_POLL_MS: '10' });
    const leaves = world.parts.connection.collection<{ _id: string }>('leaves');
    await until(async () => (await leaves.countDocuments({})) > 0);
    expect((await leaves.find({}).toArray()).map(({ _id }) => _id)).toEqual([
      auditedLeafId('lost', { ws: 'acme', action: 'identities-shown' }),
    ]);
    await service.stop();
  } finally {
    await world.close();
  }
});
