import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { issueCertificate } from '@opendsr-service/signing';
import { json, send } from '../../e2e/controller';
import { until } from '../../receiver/until';
import type { Installation } from '../installation';
import { domains } from '../names';
import type { Proof } from '../proof';
import { underLoad } from './under-load';

/** The kubelet swaps the files of a Secret within a minute and a half, and the services check them every 10 s. */
const SWAPPED_MS = 300_000;
const DAYS = 30;

/** Signing certificates are replaced without a restart and a failed call, the internal token with a restart. */
export async function proveRotation(proof: Proof, installation: Installation): Promise<void> {
  await underLoad(proof, installation, {
    title: 'The signing certificate of version 2 is replaced',
    happens: async () => {
      const before = await certificateUrls(installation);
      await replaceSecret(installation, 'opendsr-signing-v2', await newCertificate(installation));
      await until(
        'every gateway to publish the new certificate',
        async () => (await certificateUrls(installation)).every((url) => !before.includes(url)),
        SWAPPED_MS,
      );
    },
  });
  proof.noRestart();
  await underLoad(proof, installation, {
    title: 'The internal token is replaced, and the pods with it',
    // While pods have different tokens, a download may meet a pod that refuses it.
    allowed: '503',
    happens: async () => {
      await replaceSecret(installation, 'opendsr-internal-token', { token: randomBytes(32).toString('base64url') });
      await installation.restartAll();
    },
  });
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
