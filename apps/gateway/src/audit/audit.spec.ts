import { embeddedDatabase } from '@opendsr-service/storage/testing';
import { auditContract } from './audit.contract';

auditContract('the embedded store', embeddedDatabase('gateway'));
