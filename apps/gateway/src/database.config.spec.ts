import { compareIndexes, openStorage } from '@opendsr-service/storage';
import { database } from './database.config';
import { Service } from './testing/service';
import { World } from './testing/world';

/** A tool has connections of its own, with the models of the declaration alone. */
it('declares for tools all indexes that the gateway makes at its start, and no others', async () => {
  const world = await World.open();
  try {
    await (await Service.start(world)).stop();
    await world.parts.storage.close();
    const storage = await openStorage({ dataDir: world.parts.dataDir });
    const connection = await storage.database(database.name);
    database.models(connection);
    expect(await compareIndexes(connection)).toEqual([]);
    await storage.close();
  } finally {
    await world.close();
  }
});
