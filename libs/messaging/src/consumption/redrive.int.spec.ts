import { randomUUID } from 'node:crypto';
import { waitsContract } from './redrive-waits.contract';
import { redriveContract } from './redrive.contract';

const options = () => {
  const mongodbUri = process.env['DSR_TEST_MONGODB_URI'];
  if (!mongodbUri) throw new Error('DSR_TEST_MONGODB_URI names no server');
  return { mongodbUri, databasePrefix: `redrive_${randomUUID().slice(0, 8)}_` };
};

redriveContract('MongoDB', options);
waitsContract('MongoDB', options);
