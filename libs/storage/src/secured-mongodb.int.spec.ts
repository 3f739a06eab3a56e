import { ConnectionFault } from './connection-fault';
import { openStorage } from './open-storage';
import { oplogWindow } from './oplog';
import { ownServersFolder } from './testing/own-server';
import { startSecuredMongod, type SecuredMongod } from './testing/secured-mongod';

const folder = ownServersFolder();
const password = 'hidden-word';

// Servers in containers have no certificates: this needs the folder DSR_TEST_SERVERS.
(folder === undefined ? describe.skip : describe)(
  'a MongoDB that wants TLS, a client certificate and a password',
  () => {
    let server: SecuredMongod;
    const uri = (host = '127.0.0.1', secret = password) => `mongodb://dsr:${secret}@${host}:${String(server.port)}/`;

    beforeAll(async () => {
      server = await startSecuredMongod(folder ?? '');
      const storage = await openStorage({
        mongodbUri: `mongodb://127.0.0.1:${String(server.port)}/`,
        tls: server.certificates.known,
      });
      const { db } = await storage.database('any');
      // As long as there is no user, who calls from the same machine may make one, with rights of the admin database alone.
      await db?.admin().command({ createUser: 'dsr', pwd: password, roles: ['readWriteAnyDatabase'] });
      await storage.close();
    });

    afterAll(async () => {
      await server.stop();
    });

    it('is written to and read from by who is known to it', async () => {
      const storage = await openStorage({ mongodbUri: uri(), tls: server.certificates.known });
      const documents = (await storage.database('secured')).collection<{ _id: string }>('documents');
      await documents.insertOne({ _id: 'kept' });
      expect(await documents.findOne({})).toEqual({ _id: 'kept' });
      await storage.ping();
      await storage.close();
    });

    it('does not show its oplog to a user without the right to read it, and that is no failure', async () => {
      const storage = await openStorage({ mongodbUri: uri(), tls: server.certificates.known });
      expect(await oplogWindow(await storage.database('secured'))).toBe('not readable');
      await storage.close();
    });

    it('is refused where it is not trusted, and keeps out who is not known: each by its kind, without a secret', async () => {
      const { known, nameless, strange } = server.certificates;
      const faultOf = async (options: Parameters<typeof openStorage>[0]) => {
        const error: unknown = await openStorage(options).then(
          (storage) => storage.close(),
          (reason: unknown) => reason,
        );
        expect(error).toBeInstanceOf(ConnectionFault);
        const { kind, message } = error as ConnectionFault;
        expect(message).not.toMatch(/-word|dsr|127\.0\.0\.1|localhost/);
        return kind;
      };
      const kinds = await Promise.all([
        faultOf({ mongodbUri: uri('127.0.0.1', 'wrong-word'), tls: known }),
        faultOf({ mongodbUri: uri(), tls: strange }),
        faultOf({ mongodbUri: `${uri()}?tls=true` }),
        faultOf({ mongodbUri: uri('localhost'), tls: known }),
        faultOf({ mongodbUri: uri(), tls: nameless }),
        faultOf({ mongodbUri: uri() }),
      ]);
      expect(kinds).toEqual(['authentication', 'untrusted', 'untrusted', 'host-name', 'hung-up', 'hung-up']);
    });
  },
);
