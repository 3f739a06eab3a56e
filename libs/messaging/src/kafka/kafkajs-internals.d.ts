/** The internals of kafkajs 2.2.4 that we use. `patch.spec.ts` fails when one of them, or the version, changes. */
declare module 'kafkajs/src/network/requestQueue' {
  export interface SentRequest {
    readonly sentAt: number;
    readonly requestTimeout: number;
    timeoutRequest(): void;
  }

  export default class RequestQueue {
    readonly enforceRequestTimeout: boolean;
    readonly requestTimeout: number;
    readonly inflight: ReadonlyMap<number, SentRequest>;
    readonly isConnected: () => boolean;
    requestTimeoutIntervalId: NodeJS.Timeout | undefined;
    pending: readonly unknown[];
    destroy: (this: RequestQueue) => void;
    rejectAll: (this: RequestQueue, error: Error) => void;
    scheduleRequestTimeoutCheck: (this: RequestQueue) => void;
    scheduleCheckPendingRequests: (this: RequestQueue) => void;
  }
}

declare module 'kafkajs/src/broker' {
  import type { OffsetsOfTopic, PartitionsOfTopic } from 'kafkajs/src/cluster';
  import type { FetchedPartition } from 'kafkajs/src/consumer/batch';
  import type RequestQueue from 'kafkajs/src/network/requestQueue';
  import type { RequestDefinitions, RequestMaker } from 'kafkajs/src/protocol/requests';

  interface Asked<P> {
    readonly topics: readonly { readonly topic: string; readonly partitions: readonly P[] }[];
  }

  interface Answered<P> {
    readonly responses: readonly { readonly partitions: readonly P[] }[];
  }

  export default class Broker {
    readonly connectionPool: {
      readonly pool: readonly { readonly requestQueue: RequestQueue }[];
      send(request: unknown): Promise<unknown>;
    };
    readonly lookupRequest: (apiKey: number, definitions: RequestDefinitions) => RequestMaker;
    metadata: (topics: readonly string[]) => Promise<unknown>;
    offsetFetch(asked: {
      readonly groupId: string;
      readonly topics: readonly PartitionsOfTopic[];
    }): Promise<{ readonly responses: readonly OffsetsOfTopic[] }>;
    fetch: (
      this: Broker,
      request: Asked<{ readonly partition: number; readonly fetchOffset: string; readonly maxBytes: number }> & {
        readonly maxWaitTime: number;
        readonly maxBytes: number;
      },
    ) => Promise<Answered<FetchedPartition>>;
    listOffsets: (
      this: Broker,
      request: Asked<{ readonly partition: number; readonly timestamp: number }>,
    ) => Promise<Answered<{ readonly offset: string; readonly timestamp: string }>>;
  }
}

declare module 'kafkajs/src/cluster' {
  import type Broker from 'kafkajs/src/broker';

  export interface PartitionMetadata {
    readonly partitionId: number;
    readonly leader: number;
  }

  export interface TopicMetadata {
    readonly topic: string;
    readonly partitionMetadata: readonly PartitionMetadata[];
  }

  interface Position {
    readonly partition: number;
    readonly offset: string;
  }

  export interface OffsetsOfTopic {
    readonly topic: string;
    readonly partitions: readonly Position[];
  }

  export interface PartitionsOfTopic {
    readonly topic: string;
    readonly partitions: readonly { readonly partition: number }[];
  }

  export default class Cluster {
    readonly brokerPool: {
      readonly brokers: Readonly<Record<string, Broker>>;
      readonly seedBroker?: Broker;
      readonly versions: Readonly<Record<number, { readonly maxVersion: number }>> | null;
      /** The answer of the first broker that gives one; null where none does. */
      withBroker<T>(ask: (one: { readonly broker: Broker }) => Promise<T>): Promise<T | null>;
    };
    connect: (this: Cluster) => Promise<void>;
    disconnect: (this: Cluster) => Promise<void>;
    refreshMetadata: (this: Cluster) => Promise<void>;
    refreshMetadataIfNecessary: (this: Cluster) => Promise<void>;
    metadata: (this: Cluster, asked?: { readonly topics?: readonly string[] }) => Promise<object | null>;
    getNodeIds: (this: Cluster) => readonly string[];
    addMultipleTargetTopics: (this: Cluster, topics: readonly string[]) => Promise<void>;
    findTopicPartitionMetadata: (this: Cluster, topic: string) => readonly PartitionMetadata[];
    findGroupCoordinator: (this: Cluster, asked: { readonly groupId: string }) => Promise<Broker>;
    findGroupCoordinatorMetadata: (this: Cluster, asked: { readonly groupId: string }) => Promise<object>;
    fetchTopicsOffset: (
      this: Cluster,
      asked: readonly (PartitionsOfTopic & { readonly fromBeginning: boolean })[],
    ) => Promise<readonly OffsetsOfTopic[]>;
    findBroker: (this: Cluster, node: { readonly nodeId: string }) => Promise<Broker>;
    findLeaderForPartitions: (
      this: Cluster,
      topic: string,
      partitions: readonly number[],
    ) => Readonly<Record<string, readonly number[]>>;
  }
}

declare module 'kafkajs/src/consumer/batch' {
  import type { KafkaMessage } from 'kafkajs';

  export interface FetchedPartition {
    readonly partition: number;
    readonly highWatermark: string;
    readonly messages: readonly unknown[];
  }

  /** What a fetch brought of a partition, without what no reader gets. */
  export default class Batch {
    constructor(topic: string, fetchedOffset: string, fetched: FetchedPartition);
    readonly messages: readonly KafkaMessage[];
    /** With what no reader gets. */
    readonly rawMessages: readonly unknown[];
    lastOffset(): string;
    /** How many records of the partition were left behind. */
    offsetLag(): string;
  }
}

declare module 'kafkajs/src/protocol/requests' {
  export type RequestDefinitions = object;
  export type RequestMaker = (asked: object) => {
    readonly request: object;
    readonly response: { decode(raw: unknown): Promise<object>; parse(data: object): Promise<object> };
  };

  export const requests: { readonly Metadata: RequestDefinitions };
}

declare module 'kafkajs/src/consumer/consumerGroup' {
  import type Cluster from 'kafkajs/src/cluster';
  import type Batch from 'kafkajs/src/consumer/batch';

  export default class ConsumerGroup {
    readonly cluster: Cluster;
    heartbeat: (this: ConsumerGroup, options: { readonly interval: number }) => Promise<void>;
    joinAndSync: (this: ConsumerGroup) => Promise<void>;
    recoverFromFetch: (this: ConsumerGroup, error: unknown) => Promise<void>;
    fetch: (this: ConsumerGroup, nodeId: string) => Promise<readonly Batch[]>;
  }
}

declare module 'kafkajs/src/consumer/runner' {
  import type ConsumerGroup from 'kafkajs/src/consumer/consumerGroup';

  export default class Runner {
    constructor(options: object);
    readonly running: boolean;
    readonly consumerGroup: ConsumerGroup;
    readonly fetchManager: { stop(): Promise<void> };
    start: (this: Runner) => Promise<void>;
    stop: (this: Runner) => Promise<void>;
    fetch: (this: Runner, nodeId: string) => Promise<readonly unknown[]>;
  }
}

declare module 'kafkajs/src/network/socketFactory' {
  import type { ISocketFactory } from 'kafkajs';

  export default function socketFactory(): ISocketFactory;
}
