import { duplicateKey } from '@opendsr-service/storage';
import type { Collection, Connection } from 'mongoose';

interface CertificateDocument {
  /** File name, derived from the bytes. */
  readonly _id: string;
  readonly pem: string;
}

export interface PublishedCertificate {
  readonly publishedName: string;
  readonly certificatePem: string;
}

/** Keeps every published certificate for good, so that receipts stay verifiable. They belong to no workspace. */
export class CertificatesStore {
  private readonly certificates: Collection<CertificateDocument>;

  constructor(connection: Connection) {
    this.certificates = connection.collection<CertificateDocument>('certificates');
  }

  /** May be repeated, also by several gateways at once. */
  async save({ publishedName, certificatePem }: PublishedCertificate): Promise<void> {
    try {
      await this.certificates.updateOne(
        { _id: publishedName },
        { $setOnInsert: { pem: certificatePem } },
        { upsert: true },
      );
    } catch (error) {
      // Another gateway stored the same bytes.
      if (!duplicateKey(error)) throw error;
    }
  }

  async findPem(publishedName: string): Promise<string | undefined> {
    return (await this.certificates.findOne({ _id: publishedName }))?.pem;
  }
}
