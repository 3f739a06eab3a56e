import type { ApiDocument } from './api-document';

export const SWAGGER_UI_FILES = [
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'swagger-ui-standalone-preset.js',
  'favicon-32x32.png',
] as const;

/** A file, because the policy forbids inline scripts. */
export const START_SCRIPT = 'start.js';

export const PAGE_POLICY =
  "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>OpenDSR service: API</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
</head>
<body>
<div id="swagger-ui"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/swagger-ui-standalone-preset.js"></script>
<script src="/docs/${START_SCRIPT}"></script>
</body>
</html>
`;

/** Without `validatorUrl: null` Swagger UI calls a public host for a badge. */
export function startScript(documents: readonly ApiDocument[]): string {
  const urls = documents.map(({ name, title }) => ({ url: `/openapi/${name}.json`, name: title }));
  const options = JSON.stringify({
    urls,
    dom_id: '#swagger-ui',
    layout: 'StandaloneLayout',
    deepLinking: true,
    validatorUrl: null,
  });
  return `window.ui = SwaggerUIBundle({ ...${options}, presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset] });\n`;
}
