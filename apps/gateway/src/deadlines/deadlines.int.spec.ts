import { mongodbDatabase } from '@opendsr-service/storage/testing';
import { deadlinesContract } from './deadlines.contract';

deadlinesContract('MongoDB', mongodbDatabase('deadlines'));
