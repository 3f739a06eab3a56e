import type { ApiDocument } from '@opendsr-service/edge';
import type { ServedVersion } from '../versions/served-version';
import { exampleDomain } from '../intake/create-request.api';
import v1 from './v1.json';
import v2 from './v2.json';

/** Written from the code by `npm run openapi`; a test tells when they are behind it. */
const DOCUMENTS = { v2, v1 };

/**
 * The documents of the versions that are served, as their service has it: under the own extension's key stands its processor domain, so that
 * examples can be sent as they are, and beside the host that answers stands the address under which controllers reach it.
 */
export const documentsOf = (
  processors: readonly Pick<ServedVersion, 'version' | 'domain' | 'publicUrl'>[],
): ApiDocument[] =>
  processors.map(({ version, domain, publicUrl }) => {
    const { root: name } = version;
    const kept = DOCUMENTS[name as keyof typeof DOCUMENTS];
    const document = JSON.parse(JSON.stringify(kept).replaceAll(exampleDomain(version), domain)) as typeof kept;
    return {
      name,
      title: kept.info.title,
      document: {
        ...document,
        servers: [...kept.servers, { url: publicUrl, description: 'Where controllers reach this version.' }],
      },
    };
  });
