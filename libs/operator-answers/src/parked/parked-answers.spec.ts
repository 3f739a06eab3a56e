import { embeddedDatabase } from '@opendsr-service/storage/testing';
import { parkedAnswersContract } from './parked-answers.contract';

parkedAnswersContract('the embedded store', embeddedDatabase('parked-answers'));
