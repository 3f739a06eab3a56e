import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { V2 } from '@opendsr-service/contracts';
import { issueCertificate, verifySignature } from '@opendsr-service/signing';
import { json, send } from '../../e2e/controller';
import { until } from '../../receiver/until';
import { fetchCertificate } from '../../receiver/verification';
import type { Installation } from '../installation';
import { domains, WITHIN } from '../names';
import { filledIn, linesAfter } from '../page';
import type { Proof } from '../proof';
import { underLoad } from './under-load';

/** The kubelet swaps the files of a Secret within a minute and a half, and the services check them every 10 s. */
const SWAPPED_MS = 300_000;
const DAYS = 30;

/** The second user of Kafka and MongoDB on the page. */
const SECOND_USER = 'opendsr-2';

/** A signing certificate is replaced without a restart and a failed call. */
export async function proveNewCertificate(proof: Proof, installation: Installation): Promise<void> {
  const inForce: string[] = [];
  const noteCertificate = async () => {
    const { pem } = await fetchCertificate(installation.account.baseUrls[0] ?? '');
    inForce.push(pem);
  };
  await underLoad(proof, installation, {
    title: 'The signing certificate of version 2 is replaced',
    isSigned: ({ body, headers }) =>
      inForce.some((pem) => verifySignature(body, headers.get(V2.signatureHeader) ?? '', pem)),
    happens: async () => {
      await noteCertificate();
      const before = await certificateUrls(installation);
      await replaceSecret(installation, 'opendsr-signing-v2', await newCertificate(installation));
      await until(
        'every gateway to publish the new certificate',
        async () => (await certificateUrls(installation)).every((url) => !before.includes(url)),
        SWAPPED_MS,
      );
      await noteCertificate();
    },
  });
  proof.noRestart();
}

/** So is the internal token, by the lines of the page. */
export async function proveNewToken(proof: Proof, installation: Installation): Promise<void> {
  await underLoad(proof, installation, {
    title: 'The internal token is replaced',
    happens: async () => {
      const lines = await linesAfter('### The internal token');
      await installation.lines(filledIn(lines, { 'sleep 120': untilSwapped }));
    },
  });
  proof.noRestart();
}

/** The passwords of the stores are replaced with the pods, by the lines of the page. */
export async function proveNewPasswords(proof: Proof, installation: Installation): Promise<void> {
  await underLoad(proof, installation, {
    title: 'The users of Kafka and MongoDB are replaced, and the pods with them',
    happens: () => replaceUsers(installation),
  });
  proof.noRestart();
}

/** In place of the time that the kubelet has: until each pod reads what the file here holds. */
const untilSwapped = `
for pod in $(kubectl -n opendsr get pods -l 'app.kubernetes.io/component in (gateway, results, ingestion)' -o name); do
  kubectl -n opendsr exec $pod -- /usr/local/bin/node --eval '
    const held = () => fs.readFileSync("/run/secrets/opendsr/internal-token/token", "utf8").trim();
    const look = () => held() === process.argv[1] || setTimeout(look, 1000);
    look();' "$(cat secrets/keys/internal.token)"
done
`;

/** The stores know both users while pods are replaced. Afterwards the first one cannot log in any more. */
async function replaceUsers(installation: Installation): Promise<void> {
  const { stores } = installation;
  const removeFirst = await stores.replaceUser(SECOND_USER);
  const lines = filledIn(await linesAfter('### The passwords of Kafka and MongoDB'), {
    "password='…'": `password='${stores.kafkaUser.password}'`,
    "uri='mongodb://…'": `uri='${stores.mongodbUri}'`,
    '--timeout 15m': `--timeout ${WITHIN}`,
  });
  await installation.lines(lines);
  await removeFirst();
  // What is left of the first user would fail now.
  await installation.kubectl('delete', 'pod', ...(await installation.podsOf('results')).slice(0, 1));
  await installation.allReady();
}

async function newCertificate({ folder }: Installation): Promise<Readonly<Record<string, string>>> {
  const [keyPem = '', certPem = ''] = await Promise.all(
    ['authority.key', 'authority.pem'].map((file) => readFile(join(folder, 'secrets/certificates', file), 'utf8')),
  );
  const made = await issueCertificate({
    authority: { keyPem, certPem },
    commonName: domains.v2,
    dnsNames: [domains.v2],
    usage: 'signing',
    days: DAYS,
    now: new Date(),
  });
  return { 'tls.key': made.keyPem, 'tls.crt': made.certPem };
}

/** What each gateway publishes: the address of a certificate changes with its content. */
async function certificateUrls(installation: Installation): Promise<string[]> {
  const addresses = await installation.addressesOf('gateway');
  return Promise.all(
    addresses.map(async (ip) => {
      const answer = await send(`http://${ip}:8080/v2/discovery`);
      return json<{ processor_certificate: string }>(answer).processor_certificate;
    }),
  );
}

async function replaceSecret(
  installation: Installation,
  name: string,
  content: Readonly<Record<string, string>>,
): Promise<void> {
  const data = Object.fromEntries(
    Object.entries(content).map(([key, text]) => [key, Buffer.from(text).toString('base64')]),
  );
  await installation.kubectl('patch', 'secret', name, '--type', 'merge', '-p', JSON.stringify({ data }));
}
