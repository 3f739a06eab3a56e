import { embeddedDatabase } from '@opendsr-service/storage/testing';
import { destinationMeasuresContract } from './destinations.measures.contract';

destinationMeasuresContract('the embedded store', embeddedDatabase('delivery-measures'));
