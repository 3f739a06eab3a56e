import { embeddedDatabase } from '@opendsr-service/storage/testing';
import { destinationsContract } from './destinations/destinations.contract';
import { replaysContract } from './destinations/replays.contract';
import { destinationMeasuresContract } from './measures/destinations.measures.contract';
import { outboxContract } from './outbox/outbox.contract';
import { unreachableContract } from './outbox/unreachable.contract';

const store = 'the embedded store';
destinationsContract(store, embeddedDatabase('destinations'));
replaysContract(store, embeddedDatabase('replays'));
destinationMeasuresContract(store, embeddedDatabase('delivery-measures'));
outboxContract(store, embeddedDatabase('outbox'));
unreachableContract(store, embeddedDatabase('unreachable'));
