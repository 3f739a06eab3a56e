import { randomBytes } from 'node:crypto';
import type { Storage } from '@opendsr-service/storage';
import { CertificatesStore, type PublishedCertificate } from './certificates.store';

const certificate = (certificatePem = 'pem'): PublishedCertificate => ({
  publishedName: `opendsr-${randomBytes(16).toString('hex')}.pem`,
  certificatePem,
});

/** The rules of published certificates that hold for every store. */
export function certificatesContract(name: string, open: () => Promise<Storage>): void {
  describe(`certificates on ${name}`, () => {
    let storage: Storage;
    const store = async () => new CertificatesStore(await storage.database('gateway'));
    beforeAll(async () => {
      storage = await open();
    });
    afterAll(() => storage.close());

    it('are found by their name in every gateway, each with its own bytes', async () => {
      const [one, other] = [certificate('one'), certificate('other')];
      for (const kept of [one, other]) await (await store()).save(kept);
      const found = await Promise.all(
        [one, other].map(async ({ publishedName }) => (await store()).findPem(publishedName)),
      );
      expect(found).toEqual(['one', 'other']);
      expect(await (await store()).findPem(certificate().publishedName)).toBeUndefined();
    });

    it('are stored once, also if many gateways save them at once or again at each start', async () => {
      const one = certificate('kept');
      await Promise.all(Array.from({ length: 20 }, async () => (await store()).save(one)));
      await (await store()).save({ ...one, certificatePem: 'never these bytes under that name' });
      expect(await (await store()).findPem(one.publishedName)).toBe('kept');
    });
  });
}
