import { randomUUID } from 'node:crypto';
import { dropDatabases, mongodbOptions } from '@opendsr-service/storage/testing';
import { parkedContract } from './parked.contract';

const name = `parked_${randomUUID().slice(0, 8)}`;

parkedContract('MongoDB', () => mongodbOptions(name));
afterAll(() => dropDatabases(name));
