import { signingSettings } from '@opendsr-service/config';
import type { SandboxCertificates } from '@opendsr-service/signing';
import { command, EXIT, type Terminal } from '../command';
import { flag, optional, required } from '../options';
import { kubectlLines } from './kubectl-lines';
import { makeSandboxSecrets, makeSecrets, type SecretFile } from './secrets.wiring';

const domains = {
  PROCESSOR_DOMAIN_V2: signingSettings.PROCESSOR_DOMAIN_V2,
  PROCESSOR_DOMAIN_V1: signingSettings.PROCESSOR_DOMAIN_V1,
};

/** `dsr secrets make` (docs/compose.md). */
export const secretsMake = command({
  words: 'secrets make',
  meaning:
    'creates the missing secrets of an installation in a folder that only its owner can read: the ' +
    'master key, the internal token and the key of the transparency log. --sandbox adds what a trial needs: an authority, signing ' +
    'certificates of both processor domains and the credentials of a sandbox workspace. Overwrites ' +
    'nothing except trial certificates that expire soon. Prints the commands that give the secrets to ' +
    'Kubernetes: with NAMESPACE, and with files in HOST_DIR where the machine of kubectl calls the folder so',
  options: {
    dir: required('DIR', String),
    sandbox: flag,
    namespace: optional('NAMESPACE', String),
    'shown-as': optional('HOST_DIR', String),
  },
  run: async ({ dir, sandbox, namespace, 'shown-as': shownAs = dir }, terminal) => {
    const { PROCESSOR_DOMAIN_V2 } = terminal.settings(domains);
    (await makeSecrets(dir, terminal.files, PROCESSOR_DOMAIN_V2)).forEach(printer(terminal));
    const certificates = sandbox ? await makeTrial(dir, terminal) : undefined;
    terminal.print('');
    terminal.print(
      certificates
        ? 'To try the chart with them:'
        : 'For the chart, the signing certificates from your authority (dsr certs request):',
    );
    kubectlLines({ dir, shownAs, namespace }, certificates).forEach((line) => {
      terminal.print(`  ${line}`);
    });
    terminal.print('');
    terminal.print('Keep a copy of the master key in a safe place: without it the stored data cannot be read.');
    return EXIT.ok;
  },
});

const printer =
  ({ print }: Terminal) =>
  ({ file, kept }: SecretFile): void => {
    print(`${kept ? 'kept' : 'made'}  ${file}`);
  };

async function makeTrial(dir: string, terminal: Terminal): Promise<SandboxCertificates> {
  const values = terminal.settings(domains);
  const { credentials, certificates } = await makeSandboxSecrets(dir, terminal.files, {
    domainV2: values.PROCESSOR_DOMAIN_V2,
    domainV1: values.PROCESSOR_DOMAIN_V1,
    now: terminal.now(),
  });
  printer(terminal)(credentials);
  terminal.print(`only for the trial, whose receivers must trust this authority: ${certificates.authorityFile}`);
  return certificates;
}
