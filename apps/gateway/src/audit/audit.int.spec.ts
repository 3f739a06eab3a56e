import { mongodbDatabase } from '@opendsr-service/storage/testing';
import { auditContract } from './audit.contract';

auditContract('MongoDB', mongodbDatabase('audit'));
