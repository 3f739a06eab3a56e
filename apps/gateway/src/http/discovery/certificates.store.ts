import { duplicateKey } from '@opendsr-service/storage';
import type { Collection, Connection } from 'mongoose';

interface CertificateDocument {
  /** The file name, which says which bytes these are. */
  readonly _id: string;
  readonly pem: string;
}

/** A certificate as it is published. */
export interface PublishedCertificate {
  readonly publishedName: string;
  readonly certificatePem: string;
}

/**
 * Every certificate that discovery has named, for good: who keeps a receipt can verify it years later. They are the processor's, so they
 * belong to no workspace.
 */
export class CertificatesStore {
  private readonly certificates: Collection<CertificateDocument>;

  constructor(connection: Connection) {
    this.certificates = connection.collection<CertificateDocument>('certificates');
  }

  /** Durable when it resolves; may be called again, and by several gateways at once. */
  async save({ publishedName, certificatePem }: PublishedCertificate): Promise<void> {
    try {
      await this.certificates.updateOne(
        { _id: publishedName },
        { $setOnInsert: { pem: certificatePem } },
        { upsert: true },
      );
    } catch (error) {
      // Another gateway was first: the name stands for the same bytes.
      if (!duplicateKey(error)) throw error;
    }
  }

  /** The bytes under a name; undefined where there never were any. */
  async findPem(publishedName: string): Promise<string | undefined> {
    return (await this.certificates.findOne({ _id: publishedName }))?.pem;
  }
}
