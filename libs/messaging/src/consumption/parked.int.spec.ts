import { randomUUID } from 'node:crypto';
import { parkedContract } from './parked.contract';

parkedContract('MongoDB', () => {
  const mongodbUri = process.env['DSR_TEST_MONGODB_URI'];
  if (!mongodbUri) throw new Error('DSR_TEST_MONGODB_URI names no server');
  return { mongodbUri, databasePrefix: `parked_${randomUUID().slice(0, 8)}_` };
});
