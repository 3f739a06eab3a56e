import { mongodbDatabase } from '@opendsr-service/storage/testing';
import { operatorAuditContract } from './operator-audit.contract';

operatorAuditContract('MongoDB', mongodbDatabase('operator-audit'));
