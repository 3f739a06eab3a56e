import { embeddedDatabase } from '@opendsr-service/storage/testing';
import { operatorAuditContract } from './operator-audit.contract';

operatorAuditContract('the embedded store', embeddedDatabase('gateway'));
