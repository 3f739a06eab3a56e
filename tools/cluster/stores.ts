import { startSecuredKafka, type SecuredKafka } from '@opendsr-service/messaging/testing';
import { MongodSet } from './mongod-set';

const user = { username: 'opendsr', password: 'of-the-tests-alone' } as const;

/** Brokers with TLS and SCRAM, and a replica set with TLS and a user, at an address that pods reach. */
export class Stores {
  private constructor(
    private readonly kafka: SecuredKafka,
    private readonly mongod: MongodSet,
    private readonly address: string,
    readonly copies: number,
  ) {}

  /** `copies`: of brokers and of members of the replica set. */
  static async start(servers: string, address: string, copies: number): Promise<Stores> {
    const kafka = await startSecuredKafka(servers, user, { address, nodes: copies });
    try {
      return new Stores(kafka, await MongodSet.start(servers, address, copies), address, copies);
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

  get kafkaUser(): typeof user {
    return user;
  }

  get mongodbUri(): string {
    return this.mongod.uri;
  }

  get mongodbPorts(): readonly number[] {
    return this.mongod.ports;
  }

  get mongodbAuthorityFile(): string {
    return this.mongod.authorityFile;
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
