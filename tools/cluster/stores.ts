import { randomUUID } from 'node:crypto';
import { startSecuredKafka, type KafkaUser, type SecuredKafka } from '@opendsr-service/messaging/testing';
import { MongodSet } from './mongod-set';

const first: KafkaUser = { username: 'opendsr', password: 'of-the-tests-alone' };

/** Brokers with TLS and SCRAM, and a replica set with TLS and a user, at an address that pods reach. */
export class Stores {
  /** As whom the service logs in, at both. */
  private user = first;

  private constructor(
    private readonly kafka: SecuredKafka,
    private readonly mongod: MongodSet,
    private readonly address: string,
    readonly copies: number,
  ) {}

  /** `copies`: of brokers and of members of the replica set. */
  static async start(servers: string, address: string, copies: number): Promise<Stores> {
    const kafka = await startSecuredKafka(servers, first, { address, nodes: copies });
    try {
      const mongod = await MongodSet.start(servers, address, copies);
      await mongod.addUser(first);
      return new Stores(kafka, mongod, address, copies);
    } catch (error) {
      await kafka.stop();
      throw error;
    }
  }

  get brokers(): readonly string[] {
    return this.kafka.saslPorts.map((port) => `${this.address}:${String(port)}`);
  }

  get kafkaAuthorityFile(): string {
    return this.kafka.certificates.authorityFile;
  }

  get kafkaUser(): KafkaUser {
    return this.user;
  }

  get mongodbUri(): string {
    return this.mongod.uriOf(this.user);
  }

  get mongodbPorts(): readonly number[] {
    return this.mongod.ports;
  }

  get mongodbAuthorityFile(): string {
    return this.mongod.authorityFile;
  }

  /** Makes a second user beside the first one, as whom the service is to log in from now on. Answers how to remove the first. */
  async replaceUser(username: string): Promise<() => Promise<void>> {
    const before = this.user.username;
    this.user = { username, password: randomUUID() };
    await Promise.all([this.kafka.addUser(this.user), this.mongod.addUser(this.user)]);
    return async () => {
      await Promise.all([this.kafka.removeUser(before), this.mongod.removeUser(before)]);
    };
  }

  restartBroker(node: number): Promise<void> {
    return this.kafka.restart(node);
  }

  restartPrimary(): Promise<void> {
    return this.mongod.restartPrimary();
  }

  async stop(): Promise<void> {
    await Promise.all([this.kafka.stop(), this.mongod.stop()]);
  }
}
