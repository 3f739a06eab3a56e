import { embeddedDatabase } from '@opendsr-service/storage/testing';
import { unreachableContract } from './unreachable.contract';

unreachableContract('the embedded store', embeddedDatabase('unreachable'));
