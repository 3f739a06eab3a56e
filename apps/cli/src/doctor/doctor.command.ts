import { command } from '../command';
import { address, optional, someOf } from '../options';
import { jsonOption, show } from '../output';
import { SERVICES } from './configuration';
import { exitOf, lineOf } from './finding';
import { examine } from './examine.module';

const addresses = (text: string): readonly URL[] => text.split(',').map((one) => address(one.trim()));

/** `dsr doctor`: whether an installation is well, and what to do where it is not (docs/operating.md). */
export const doctorCommand = command({
  words: 'doctor',
  meaning:
    'looks at configuration, Kafka, MongoDB, indexes, clocks, keys, certificates and egress, and says ' +
    'line by line what is well and what to do. Changes nothing. ' +
    'SERVICE: whose configuration this environment holds, all five where none is named. --to: a ' +
    'receiver to be reached from here, by the TLS of callbacks: CALLBACK_CA_FILE is trusted beside ' +
    'what Node trusts. --services: admin addresses of running services. ' +
    '--trust: authorities, PEM, by which receivers trust the certificates of this installation; receivers are not judged by it',
  options: {
    of: optional('SERVICE,…', someOf(SERVICES)),
    to: optional('URL', address),
    services: optional('URL,…', addresses),
    trust: optional('FILE', String),
    ...jsonOption,
  },
  run: async ({ of, to, services, trust, json }, terminal) => {
    const trustPem = trust === undefined ? undefined : await terminal.files.text(trust);
    const findings = await examine(terminal, { of: of ?? SERVICES, to, services: services ?? [], trustPem });
    show(terminal, { json }, { findings }, () => findings.map(lineOf));
    return exitOf(findings);
  },
});
