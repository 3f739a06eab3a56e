import { bundleText } from '@opendsr-service/contracts';
import { notFound } from '@opendsr-service/edge';
import type { AdmissionsStore } from '../admission/admissions.store';
import type { LeavesStore } from '../evidence/leaves.store';
import type { PublishedLog } from '../evidence/published-log';
import { attestationLeafId, type AttestationDocument } from '../evidence/attestation.document';
import type { AttestationsStore } from '../evidence/attestations.store';

/** The statement that is asked for; undefined: the newest. */
export type AskedStatement = 1 | 2 | undefined;

/** What controllers read of attestations: nothing before its leaf is on the log, so that no other one can ever stand for it. */
export class RequestAttestations {
  constructor(
    private readonly requests: Pick<AdmissionsStore, 'find'>,
    private readonly attestations: Pick<AttestationsStore, 'find'>,
    private readonly log: Pick<PublishedLog, 'inclusionOf'>,
    private readonly leaves: Pick<LeavesStore, 'find'>,
  ) {}

  /** The bytes of the envelope. Throws 404 where there is none yet. */
  async envelope(ws: string, srid: string, asked: AskedStatement): Promise<Buffer> {
    return Buffer.from((await this.find(ws, srid, asked)).envelope);
  }

  /** The bytes of the bundle. Throws 404 also while no checkpoint covers the leaf. */
  async bundle(ws: string, srid: string, asked: AskedStatement): Promise<Buffer> {
    const attestation = await this.find(ws, srid, asked);
    const inclusion = await this.log.inclusionOf(attestationLeafId(attestation));
    if (!inclusion) throw notFound('No checkpoint of the log covers the attestation yet.');
    return Buffer.from(bundleText({ envelope: Buffer.from(attestation.envelope), ...inclusion }));
  }

  private async find(ws: string, srid: string, asked: AskedStatement): Promise<AttestationDocument> {
    const request = await this.requests.find(ws, srid);
    if (!request) throw notFound();
    const first = await this.attestations.find(ws, srid, 1);
    const isLogged = first && (!request.attestAt || (await this.leaves.find(attestationLeafId(first))) !== undefined);
    if (!isLogged) throw notFound('The request has no attestation yet.');
    if (asked === 1) return first;
    const second = first.generation === undefined ? await this.attestations.find(ws, srid, 2) : undefined;
    if (second) return second;
    if (asked === 2) throw notFound('The request has no second attestation yet.');
    return first;
  }
}
