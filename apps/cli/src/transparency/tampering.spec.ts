import 'reflect-metadata';
import { World } from '@opendsr-service/gateway/testing';
import { tamperingContract } from './tampering.contract';

tamperingContract('embedded stores', async () => {
  const world = await World.open();
  return { world, env: { DATA_DIR: world.parts.dataDir }, close: () => world.close() };
});
