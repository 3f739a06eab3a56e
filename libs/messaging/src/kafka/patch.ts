/// <reference types="./kafkajs-internals" />
import { setTimeout as delay } from 'node:timers/promises';
import { KafkaJSConnectionError, KafkaJSNonRetriableError, KafkaJSProtocolError } from 'kafkajs';
import Cluster from 'kafkajs/src/cluster';
import type Batch from 'kafkajs/src/consumer/batch';
import ConsumerGroup from 'kafkajs/src/consumer/consumerGroup';
import Runner from 'kafkajs/src/consumer/runner';
import RequestQueue, { type SentRequest } from 'kafkajs/src/network/requestQueue';
import { READ_GAP_MS, ReadPace } from '../consumption/read-pace';
import { brokerLost, connectionClosed, groupDenied, leaderMoved, outOfRange } from './faults';

export const patchedVersion = '2.2.4';

/** The place in a pool of the connection that only fetches use. */
const FETCHING = 1;

const closed = new WeakSet<Cluster>();
const stopped = new WeakSet<ConsumerGroup>();
/** How to end the fetches that wait for records. */
const waiting = new WeakMap<ConsumerGroup, Set<() => void>>();
const applied = Symbol.for('opendsr.kafkajs-patch');

function refuseWhenClosed(cluster: Cluster): void {
  if (closed.has(cluster)) throw new KafkaJSNonRetriableError('the client was closed');
}

/** kafkajs checks every connection each millisecond for waiting requests, even where none waits. */
function idleRequestQueue(): void {
  const { prototype } = RequestQueue;
  const { scheduleCheckPendingRequests } = prototype;
  prototype.scheduleCheckPendingRequests = function () {
    if (this.pending.length > 0) scheduleCheckPendingRequests.call(this);
  };
}

/** kafkajs looks on every connection ten times a second for requests that wait too long. */
function sleepUntilTimeouts(): void {
  const { prototype } = RequestQueue;
  prototype.scheduleRequestTimeoutCheck = function () {
    if (!this.enforceRequestTimeout) return;
    this.destroy();
    const look = (): void => {
      if (!this.isConnected()) return this.destroy();
      const now = Date.now();
      const dueInMs = ({ sentAt, requestTimeout }: SentRequest): number => sentAt + requestTimeout - now;
      for (const request of [...this.inflight.values()]) if (dueInMs(request) < 0) request.timeoutRequest();
      // What is sent from now on is due later.
      sleep(Math.min(this.requestTimeout, ...[...this.inflight.values()].map(dueInMs)));
    };
    const sleep = (ms: number): void => {
      this.requestTimeoutIntervalId = setTimeout(look, ms + 1);
    };
    sleep(this.requestTimeout);
  };
}

/**
 * A closed client stays closed, and does not wait for records that it has asked for. Otherwise a retried send connects again,
 * and could write an old batch after later ones of a new producer.
 */
function stayClosed(): void {
  const { prototype } = Cluster;
  const { disconnect, connect, refreshMetadata, refreshMetadataIfNecessary, findBroker } = prototype;
  prototype.disconnect = async function () {
    closed.add(this);
    const { brokers, seedBroker } = this.brokerPool;
    for (const { connectionPool } of [...Object.values(brokers), ...(seedBroker ? [seedBroker] : [])]) {
      connectionPool.send = () => Promise.reject(new KafkaJSNonRetriableError('the client was closed'));
      connectionPool.pool[FETCHING]?.requestQueue.rejectAll(new KafkaJSNonRetriableError('the client was closed'));
    }
    return disconnect.call(this);
  };
  prototype.connect = async function () {
    refuseWhenClosed(this);
    return connect.call(this);
  };
  prototype.refreshMetadata = async function () {
    refuseWhenClosed(this);
    return refreshMetadata.call(this);
  };
  prototype.refreshMetadataIfNecessary = async function () {
    refuseWhenClosed(this);
    return refreshMetadataIfNecessary.call(this);
  };
  prototype.findBroker = async function (node) {
    refuseWhenClosed(this);
    return findBroker.call(this, node);
  };
}

/** What a fetch brought; nothing where the consumer stops first. */
function untilStopped(group: ConsumerGroup, fetching: Promise<readonly Batch[]>): Promise<readonly Batch[]> {
  const ends = waiting.get(group) ?? new Set();
  waiting.set(group, ends);
  return new Promise((resolve, reject) => {
    const end = (): void => resolve([]);
    ends.add(end);
    void fetching.then(resolve, reject).then(() => ends.delete(end));
  });
}

/**
 * A stopped consumer stays stopped, and leaves its group without waiting for records. When brokers change, kafkajs starts new
 * fetchers even for a stopped consumer, which would block the event loop.
 */
function stayStopped(): void {
  const { prototype } = Runner;
  const { fetch, stop } = prototype;
  prototype.stop = async function () {
    stopped.add(this.consumerGroup);
    const stopping = stop.call(this);
    for (const end of waiting.get(this.consumerGroup) ?? []) end();
    return stopping;
  };
  prototype.fetch = async function (nodeId) {
    if (this.running) return fetch.call(this, nodeId);
    void this.fetchManager.stop();
    return [];
  };
}

/** kafkajs fetches from a broker again at once, also where it has read everything. */
function paceFetches(): void {
  const { prototype } = ConsumerGroup;
  const { fetch } = prototype;
  const paces = new WeakMap<ConsumerGroup, Map<string, ReadPace>>();
  prototype.fetch = async function (nodeId) {
    const ofGroup = paces.get(this) ?? new Map<string, ReadPace>();
    paces.set(this, ofGroup);
    const pace = ofGroup.get(nodeId) ?? new ReadPace();
    ofGroup.set(nodeId, pace);
    await pace.gap();
    if (stopped.has(this)) {
      // A fetcher that starts after the stop asks again at once.
      await delay(READ_GAP_MS);
      return [];
    }
    pace.begin();
    const batches = await untilStopped(this, fetch.call(this, nodeId));
    if (batches.some((batch) => BigInt(batch.offsetLag()) > 0n)) pace.catchUp();
    return batches;
  };
}

/** kafkajs returns null where no broker describes the cluster, and its callers fail with a TypeError. */
function rejectMissingMetadata(): void {
  const { prototype } = Cluster;
  const { metadata } = prototype;
  prototype.metadata = async function (asked) {
    const found = await metadata.call(this, asked);
    if (found === null) throw new KafkaJSConnectionError('no broker describes the cluster');
    return found;
  };
}

/** kafkajs forgets why no broker names the coordinator of a group, and searches on where only a right is missing. */
function keepDenials(): void {
  const { prototype } = Cluster;
  const { findGroupCoordinatorMetadata } = prototype;
  prototype.findGroupCoordinatorMetadata = async function (asked) {
    let denial: unknown;
    const note = (error: unknown): never => {
      if (groupDenied(error)) denial = error;
      throw error;
    };
    const { brokerPool } = this;
    const withBroker: typeof brokerPool.withBroker = (ask) => brokerPool.withBroker((one) => ask(one).catch(note));
    const noting = Object.assign(Object.create(this) as Cluster, { brokerPool: { withBroker } });
    return findGroupCoordinatorMetadata.call(noting, asked).catch((error: unknown) => {
      throw denial ?? error;
    });
  };
}

/** A failure here shows again where the metadata is needed. */
async function refreshMetadata(cluster: Cluster): Promise<void> {
  await delay(100 + Math.random() * 150);
  await cluster.refreshMetadata().catch(() => undefined);
}

/**
 * After the death of the coordinator the member rejoins under its id. As a new member it would wait for the session of
 * the old one to end.
 */
function surviveCoordinators(): void {
  const { prototype } = ConsumerGroup;
  const { heartbeat, joinAndSync } = prototype;
  prototype.heartbeat = async function (options) {
    try {
      await heartbeat.call(this, options);
    } catch (error) {
      if (!brokerLost(error)) throw error;
      const moved = {
        name: 'KafkaJSProtocolError',
        message: 'the coordinator is away',
        type: 'NOT_COORDINATOR_FOR_GROUP',
        code: 16,
        retriable: true,
      };
      throw new KafkaJSProtocolError(moved);
    }
  };
  prototype.joinAndSync = async function () {
    for (;;) {
      try {
        return await joinAndSync.call(this);
      } catch (error) {
        if (stopped.has(this) || closed.has(this.cluster) || !brokerLost(error)) throw error;
        await refreshMetadata(this.cluster);
      }
    }
  };
}

/**
 * A dead leader costs a metadata refresh: kafkajs would count such errors and give up, or rejoin the whole group. A
 * position out of range ends the consumer; kafkajs would jump (decision 6).
 */
function surviveLeaders(): void {
  const { prototype } = ConsumerGroup;
  const { recoverFromFetch } = prototype;
  prototype.recoverFromFetch = async function (error) {
    if (outOfRange(error)) throw Object.assign(new KafkaJSNonRetriableError('offset out of range'), { cause: error });
    const leaderAway = leaderMoved(error) || (brokerLost(error) && !connectionClosed(error));
    if (!leaderAway) return recoverFromFetch.call(this, error);
    await refreshMetadata(this.cluster);
  };
}

/**
 * Patches kafkajs once for the process, even where a bundle holds two copies of this file. Reasons:
 * docs/decisions/0017-kafkajs-read-and-patched.md.
 */
export function patchKafkajs(): void {
  if (applied in ConsumerGroup.prototype) return;
  Object.defineProperty(ConsumerGroup.prototype, applied, { value: true });
  idleRequestQueue();
  sleepUntilTimeouts();
  stayClosed();
  stayStopped();
  paceFetches();
  rejectMissingMetadata();
  keepDenials();
  surviveCoordinators();
  surviveLeaders();
}
