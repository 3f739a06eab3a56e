import { randomUUID } from 'node:crypto';
import { dropDatabases, mongodbOptions } from '@opendsr-service/storage/testing';
import { waitsContract } from './redrive-waits.contract';
import { redriveContract } from './redrive.contract';

const name = `redrive_${randomUUID().slice(0, 8)}`;
const options = () => mongodbOptions(name);

redriveContract('MongoDB', options);
waitsContract('MongoDB', options);
afterAll(() => dropDatabases(name));
