import { TOPICS, type Topic } from './topics';

/** Consumer groups and the topics that they read. */
export const CONSUMER_GROUPS = {
  gateway: [TOPICS.requestEvents, TOPICS.deliveryEvents],
  evidence: [TOPICS.evidenceLeaves],
  request: [TOPICS.commands, TOPICS.participantReports],
  'callback-dispatcher': [TOPICS.requestEvents, TOPICS.commands],
  results: [TOPICS.requestEvents],
  'ingestion-data': [TOPICS.ingestProfiles, TOPICS.ingestEvents],
  'ingestion-requests': [TOPICS.requestEvents],
} as const satisfies Record<string, readonly Topic[]>;
