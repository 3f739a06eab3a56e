import { command } from '../command';
import { exitOf, lineOf } from '../doctor/finding';
import { baseAddress, optional, required, wholeNumber } from '../options';
import { jsonOption, show } from '../output';
import { askUntilWell } from './ask.wiring';

const MAX_WAIT_SECONDS = 3_600;

/** `dsr api check`: whether a running installation answers callers (docs/operating.md); `helm test` runs it. */
export const apiCheck = command({
  words: 'api check',
  meaning:
    'asks a running installation, without credentials and settings, what a controller asks first: ' +
    'discovery and signing certificate of version 2 at --url and of version 1 at --url-v1, and whether ' +
    'ingestion answers at --ingest-url. --wait: asks again for so long until all is well',
  options: {
    url: required('URL', baseAddress),
    'url-v1': optional('URL', baseAddress),
    'ingest-url': optional('URL', baseAddress),
    wait: optional('SECONDS', wholeNumber(1, MAX_WAIT_SECONDS)),
    ...jsonOption,
  },
  run: async ({ url, 'url-v1': urlV1, 'ingest-url': ingestUrl, wait = 0, json }, terminal) => {
    const findings = await askUntilWell({ url, urlV1, ingestUrl }, wait * 1_000, terminal);
    show(terminal, { json }, { findings }, () => findings.map(lineOf));
    return exitOf(findings);
  },
});
