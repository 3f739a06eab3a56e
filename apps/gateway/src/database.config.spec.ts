import { compareIndexes, openStorage } from '@opendsr-service/storage';
import { database } from './database.config';
import { Service } from './testing/service';
import { World } from './testing/world';

const LISTED = [
  ...['receivedAt_-1__id_-1', 'ws_1_receivedAt_-1__id_-1'],
  ...['status_1_atRiskAt_1', 'ws_1_status_1_atRiskAt_1'],
];

/** A tool has connections of its own, with the models of the declaration alone. */
it.each([
  ['no list of operators', {}, []],
  ['the lists of operators, where their API is served', { OPERATOR_PORT: '0' }, LISTED],
])(
  'declares for tools all indexes that the gateway makes at its start, and no others, with %s',
  async (_what, environment, listed) => {
    const world = await World.open();
    try {
      await (await Service.start(world, environment)).stop();
      await world.parts.storage.close();
      const storage = await openStorage({ dataDir: world.parts.dataDir });
      const connection = await storage.database(database.name);
      database.models(connection);
      expect(await compareIndexes(connection)).toEqual([]);
      const made = await connection.collection('requests').listIndexes().toArray();
      expect(made.map(({ name }) => String(name)).filter((name) => LISTED.includes(name))).toEqual(listed);
      await storage.close();
    } finally {
      await world.close();
    }
  },
);
