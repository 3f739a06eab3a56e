import type { KeyObject } from 'node:crypto';
import {
  attestationPayload,
  evidenceLeaf,
  STATEMENT_MEDIA_TYPE,
  TOPICS,
  type Attestation,
  type AttestationSubjects,
} from '@opendsr-service/contracts';
import type { Publisher } from '@opendsr-service/messaging';
import type { Clock } from '@opendsr-service/service';
import { signEnvelope } from '@opendsr-service/signing';
import type { ServedVersion } from '../versions/served-version';
import { attestationId, digestOfEnvelope, leafOf, type AttestationDocument } from '../evidence/attestation.document';

/** A statement that is to be signed. */
export interface Unsigned {
  readonly ws: string;
  readonly srid: string;
  readonly attestation: Attestation;
  readonly subjects: AttestationSubjects;
  /** The generation whose end a second statement will state. */
  readonly generation?: number | undefined;
}

export interface AttesterParts {
  /** Each signs for the requests that it received; the first for those of a version that is not served any more. */
  readonly versions: readonly Pick<ServedVersion, 'version' | 'signer'>[];
  readonly publisher: Pick<Publisher, 'publish'>;
  readonly leafKey: KeyObject;
  readonly clock: Clock;
}

/** Signs statements and puts them on the log (decision 27). */
export class Attester {
  constructor(private readonly parts: AttesterParts) {}

  /** One signature at a time: the thread pool signs the answers to calls as well, and they must not wait. */
  async sign(statements: readonly Unsigned[]): Promise<AttestationDocument[]> {
    const signed: AttestationDocument[] = [];
    for (const statement of statements) signed.push(await this.signOne(statement));
    return signed;
  }

  /** The records hold the envelopes, so that an older copy of the database gets them back. A repeat is the same leaf. */
  async publish(attestations: readonly AttestationDocument[]): Promise<void> {
    const leaves = attestations.map(({ ws, srid, statement, envelope, digest, at, generation }) =>
      evidenceLeaf(
        {
          ...{ ...leafOf({ ws, srid, statement }), digest, at: at.toISOString() },
          attestation: { srid, statement, envelope, ...(generation !== undefined && { generation }) },
        },
        this.parts.leafKey,
      ),
    );
    if (leaves.length > 0) await this.parts.publisher.publish(TOPICS.evidenceLeaves.name, leaves);
  }

  private async signOne({ ws, srid, attestation, subjects, generation }: Unsigned): Promise<AttestationDocument> {
    const { statement, interfaceVersion } = attestation;
    const at = this.parts.clock.now();
    const payload = attestationPayload(attestation, subjects);
    const bytes = await signEnvelope(STATEMENT_MEDIA_TYPE, payload, this.signerOf(interfaceVersion));
    const digest = digestOfEnvelope(bytes);
    return {
      ...{ _id: attestationId({ ws, srid, statement }), ws, srid, statement, envelope: bytes.toString(), digest, at },
      ...(generation !== undefined && { generation, secondAt: at }),
    };
  }

  private signerOf(apiVersion: Attestation['interfaceVersion']) {
    const { versions } = this.parts;
    const served = versions.find(({ version }) => version.apiVersion === apiVersion) ?? versions[0];
    return (served as (typeof versions)[number]).signer;
  }
}
