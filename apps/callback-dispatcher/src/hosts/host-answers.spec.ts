import { embeddedDatabase } from '@opendsr-service/storage/testing';
import { hostAnswersContract } from './host-answers.contract';

hostAnswersContract('the embedded store', embeddedDatabase('host-answers'));
