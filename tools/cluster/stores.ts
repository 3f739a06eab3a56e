import { createServer, connect, type AddressInfo, type Server } from 'node:net';
import { once } from 'node:events';
import { startSecuredKafka, type SecuredKafka } from '@opendsr-service/messaging/testing';
import { OwnServer } from '../e2e/own-server';

const user = { username: 'opendsr', password: 'of-the-tests-alone' } as const;

/** A broker with TLS and SCRAM, and a mongod behind a forwarder, both at an address that pods reach. */
export class Stores {
  private constructor(
    private readonly kafka: SecuredKafka,
    private readonly mongod: OwnServer,
    private readonly forwarder: Server,
    private readonly address: string,
  ) {}

  static async start(servers: string, address: string): Promise<Stores> {
    const kafka = await startSecuredKafka(servers, user, address);
    const mongod = await OwnServer.mongod(servers);
    const { port, hostname } = new URL(mongod.address.replace('mongodb:', 'http:'));
    const forwarder = createServer((socket) => {
      const onward = connect(Number(port), hostname);
      for (const [from, to] of [
        [socket, onward],
        [onward, socket],
      ] as const) {
        from.on('error', () => to.destroy()).on('close', () => to.destroy());
        from.pipe(to);
      }
    }).listen(0, address);
    await once(forwarder, 'listening');
    return new Stores(kafka, mongod, forwarder, address);
  }

  get brokers(): string {
    return `${this.address}:${String(this.kafka.saslPort)}`;
  }

  get kafkaAuthorityFile(): string {
    return this.kafka.certificates.authorityFile;
  }

  get kafkaUser(): typeof user {
    return user;
  }

  /** `directConnection`: the member of the replica set calls itself by an address that pods do not reach. */
  get mongodbUri(): string {
    return `mongodb://${this.address}:${String(this.mongodbPort)}/?directConnection=true`;
  }

  get mongodbPort(): number {
    return (this.forwarder.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    this.forwarder.close();
    await Promise.all([this.kafka.stop(), this.mongod.stop()]);
  }
}
