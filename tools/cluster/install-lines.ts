import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chartFolder } from '../chart/helm';
import { dockerFunction, IMAGE, registryOf } from './image';
import type { Kubernetes } from './kubernetes';
import { CHART, domains, NAMESPACE, WITHIN, type Form } from './names';
import { filledIn, linesAfter } from './page';
import type { Stores } from './stores';

/** Step 1 and 2 of the page, and what this machine's stores and receivers need beside. */
export async function makeSecrets(cluster: Kubernetes, stores: Stores, folder: string, form: Form): Promise<void> {
  await writeFile(join(folder, 'ca.crt'), await readFile(stores.kafkaAuthorityFile));
  await writeFile(join(folder, 'mongodb-ca.crt'), await readFile(stores.mongodbAuthorityFile));
  const page = filledIn(await linesAfter('**1. Secrets**'), {
    'ghcr.io/opendsr/opendsr-service:0.1.0 dsr secrets make': `${domainOptions(form)} ${await registryOf()}/${IMAGE} dsr secrets make --sandbox`,
    "uri='mongodb://…'": `uri='${stores.mongodbUri}'`,
    "password='…'": `password='${stores.kafkaUser.password}'`,
  });
  const printed = await cluster.shell(page, folder, await dockerFunction());
  const certificates = printed.split('\n').filter((line) => /^ *kubectl .* secret tls /.test(line));
  const trust = `kubectl -n ${NAMESPACE} create secret generic opendsr-trust --from-file=ca.crt=secrets/certificates/authority.pem`;
  await cluster.shell([...certificates, trust].join('\n'), folder);
}

/** The domains that certificates are made for. */
const domainOptions = (form: Form): string =>
  form === 'production' ? `--env PROCESSOR_DOMAIN_V2=${domains.v2} --env PROCESSOR_DOMAIN_V1=${domains.v1}` : '';

/** Step 4 of the page, or the line of a trial in its place; it prints the key and the secret of the workspace. */
export async function installLines(form: Form): Promise<string> {
  const here = `-f values.yaml --wait --timeout ${WITHIN}`;
  const page = await linesAfter('**4. Install**');
  const chart = { [CHART]: `'${chartFolder()}'` };
  if (form === 'production') return filledIn(page, { ...chart, '-f values.yaml': here });
  const [trial = ''] = (await linesAfter('## A trial')).split('\n');
  const [, ...workspace] = page.split('\n');
  const line = filledIn(trial, {
    [`-f ${CHART}/`]: `-f '${chartFolder()}'/`,
    [`${CHART} `]: `'${chartFolder()}' `,
    "--set 'kafka.brokers={kafka.kafka:9092}'": here,
  });
  return [line, ...workspace].join('\n');
}
