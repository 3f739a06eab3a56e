import type { LinkKeys } from '@opendsr-service/vault';
import type { RequestDocument } from '../requests/request.document';
import type { Processor } from './processor';

/** The results link of a completed access or portability request, made anew each time; null for all others. */
export async function resultsUrl(request: RequestDocument, processor: Processor, linkKeys: LinkKeys): Promise<string | null> {
  if (request.type === 'erasure' || !request.completedAt) return null;
  const token = await linkKeys.token(request.ws, request.srid, request.completedAt);
  return `${processor.publicUrl}/${processor.version.root}/results/${token}`;
}
