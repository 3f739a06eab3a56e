import { json, send } from './controller';
import type { Rule } from './world';

/** Built apps carry the page and the documents with them. */
export function apiDocsRules(rule: Rule): void {
  rule(
    'the API documents of both versions and of ingestion, and their page, need no credentials',
    async ({ service }) => {
      const documents = [
        `${service.trust.baseUrl}/openapi/v2.json`,
        `${service.trust.baseUrl}/openapi/v1.json`,
        `${service.ingestUrl}/openapi/ingestion.json`,
      ];
      for (const url of documents) {
        const answer = await send(url);
        expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
        expect(json<{ openapi: string }>(answer).openapi).toBe('3.1.1');
      }
      for (const base of new Set([service.trust.baseUrl, service.ingestUrl])) {
        const page = await send(`${base}/docs`);
        expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
        const named = [...page.body.toString().matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = '']) => path);
        const files = await Promise.all(named.map((path) => send(`${base}${path}`)));
        expect(files.map(({ status, body }) => status === 200 && body.length > 0)).toEqual(named.map(() => true));
        const start = await send(`${base}/docs/start.js`);
        const shown = documents.filter((url) => url.startsWith(`${base}/`));
        for (const url of shown) expect(start.body.toString()).toContain(url.slice(base.length));
      }
    },
  );
}
