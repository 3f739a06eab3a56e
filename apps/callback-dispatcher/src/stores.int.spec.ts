import { describeInFull, mongodbDatabase } from '@opendsr-service/storage/testing';
import { destinationsContract } from './destinations/destinations.contract';
import { replaysContract } from './destinations/replays.contract';
import { destinationMeasuresContract } from './measures/destinations.measures.contract';
import { outboxContract } from './outbox/outbox.contract';
import { unreachableContract } from './outbox/unreachable.contract';

const store = 'MongoDB';
destinationsContract(store, mongodbDatabase('destinations'));
replaysContract(store, mongodbDatabase('replays'));
destinationMeasuresContract(store, mongodbDatabase('delivery-measures'));
describeInFull('on servers', () => outboxContract(store, mongodbDatabase('outbox')));
unreachableContract(store, mongodbDatabase('unreachable'));
