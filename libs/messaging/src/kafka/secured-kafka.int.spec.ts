import { ConnectionFault } from '@opendsr-service/storage';
import { ownServersFolder } from '@opendsr-service/storage/testing';
import { openLog } from '../open-log';
import type { MessagingLogger } from '../port';
import { Listener } from '../testing/listener';
import { startSecuredKafka, type SecuredKafka } from '../testing/secured-kafka';
import { until } from '../testing/until';
import type { KafkaOptions } from './client';
import { rightsContract, usersOfRights } from './rights.contract';

const folder = ownServersFolder();
const user = { username: 'dsr', password: 'hidden-word' };
const mechanisms = ['plain', 'scram-sha-256', 'scram-sha-512'] as const;
const single = { replication: 1, minIsr: 1 };

// Servers in containers have no certificates, and may let everybody do everything: this needs the folder DSR_TEST_SERVERS.
(folder === undefined ? describe.skip : describe)(
  'a Kafka that wants TLS and a password or a client certificate',
  () => {
    let server: SecuredKafka;
    const said: string[] = [];
    const say = (fields: Readonly<Record<string, unknown>>, message: string): void =>
      void said.push(JSON.stringify([fields, message]));
    const logger: MessagingLogger = { info: say, warn: say };
    const sasl = (mechanism: (typeof mechanisms)[number], password = user.password) => ({
      ...user,
      mechanism,
      password,
    });
    const open = (options: Pick<KafkaOptions, 'tls' | 'sasl'>, address = `127.0.0.1:${String(server.saslPort)}`) =>
      openLog({ kafka: { brokers: [address], clientId: 'secured', ...options }, logger });

    beforeAll(async () => {
      server = await startSecuredKafka(folder ?? '', user, { limitedUsers: usersOfRights });
    });

    afterAll(async () => {
      await server.stop();
    });

    it('accepts writes and reads of known principals, by every mechanism and by certificate', async () => {
      const { known, nameless } = server.certificates;
      const logs = await Promise.all([
        ...mechanisms.map((mechanism) => open({ tls: nameless, sasl: sasl(mechanism) })),
        open({ tls: known }, `127.0.0.1:${String(server.mutualPort)}`),
      ]);
      const [first] = logs;
      if (!first) throw new Error('no log was opened');
      await first.topics.apply([{ name: 'secured', partitions: 1, retentionMs: -1 }], single);
      const [listener] = await Listener.join(first, 'secured', ['secured']);
      await Promise.all(
        logs.map(({ publisher }, n) => publisher.publish('secured', [{ key: 'k', value: String(n), headers: {} }])),
      );
      await until(() => listener.values.length === logs.length);
      expect(listener.values.toSorted()).toEqual(['0', '1', '2', '3']);
      await Promise.all(logs.map((log) => log.close()));
    });

    it('is refused if untrusted, and refuses unknown principals, each with its kind and without a secret', async () => {
      const { nameless, strange } = server.certificates;
      const faultOf = async (...given: Parameters<typeof open>) => {
        const log = await open(...given);
        const error: unknown = await log.topics.compare([], single).catch((reason: unknown) => reason);
        await log.close();
        expect(error).toBeInstanceOf(ConnectionFault);
        const { kind, message } = error as ConnectionFault;
        expect(message).not.toMatch(/-word|dsr|127\.0\.0\.1|localhost/);
        return kind;
      };
      const good = sasl('scram-sha-512');
      const kinds = await Promise.all([
        ...mechanisms.map((mechanism) => faultOf({ tls: nameless, sasl: sasl(mechanism, 'wrong-word') })),
        faultOf({ tls: strange, sasl: good }),
        faultOf({ tls: nameless, sasl: good }, `localhost:${String(server.saslPort)}`),
        faultOf({ tls: nameless }, `127.0.0.1:${String(server.mutualPort)}`),
        faultOf({ tls: nameless }),
        faultOf({ sasl: good }),
      ]);
      expect(kinds).toEqual([
        'authentication',
        'authentication',
        'authentication',
        'untrusted',
        'host-name',
        'client-certificate',
        'hung-up',
        'hung-up',
      ]);
      expect(said.join('\n')).toContain('authentication failed');
      expect(said.join('\n')).not.toMatch(/(hidden|wrong)-word/);
    });

    describe('and asks who may do what', () => rightsContract(() => server));
  },
);
