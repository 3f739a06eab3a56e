import type { ApiDocument } from '@opendsr-service/edge';
import v1 from './v1.json';
import v2 from './v2.json';

/** Written from the code by `npm run openapi`; a test tells when they are behind it. */
const DOCUMENTS: readonly ApiDocument[] = [
  { name: 'v2', title: v2.info.title, document: v2 },
  { name: 'v1', title: v1.info.title, document: v1 },
];

/** The documents of the versions that are served, given by the roots of their paths. */
export const documentsOf = (roots: readonly string[]): ApiDocument[] => DOCUMENTS.filter(({ name }) => roots.includes(name));
