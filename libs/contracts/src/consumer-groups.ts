import { TOPICS, type Topic } from './topics';

/** The consumer groups of the services, each with the topics that it reads. A group of another name is not ours. */
export const CONSUMER_GROUPS = {
  gateway: [TOPICS.requestEvents, TOPICS.deliveryEvents],
  request: [TOPICS.commands, TOPICS.participantReports],
  'callback-dispatcher': [TOPICS.requestEvents, TOPICS.commands],
  results: [TOPICS.requestEvents],
  'ingestion-data': [TOPICS.ingestProfiles, TOPICS.ingestEvents],
  'ingestion-requests': [TOPICS.requestEvents],
} as const satisfies Record<string, readonly Topic[]>;
