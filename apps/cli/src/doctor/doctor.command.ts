import { SERVICE_NAMES } from '@opendsr-service/operator-answers';
import { command } from '../command';
import { address, optional, someOf } from '../options';
import { jsonOption, show } from '../output';
import { exitOf, lineOf } from './finding';
import { examine } from './examine.wiring';

const addresses = (text: string): readonly URL[] => text.split(',').map((one) => address(one.trim()));

/** `dsr doctor`: whether an installation is healthy, and what to do if not (docs/operating.md). */
export const doctorCommand = command({
  words: 'doctor',
  meaning:
    'checks configuration, Kafka, MongoDB, indexes, clocks, keys, certificates and egress, and prints ' +
    'for each what it found and what to do. Changes nothing. SERVICE: the services whose configuration ' +
    'this environment holds, by default all five; on servers it checks their consumer groups and databases ' +
    'alone, and, without the gateway and the callback-dispatcher among them, no certificates, callback rules ' +
    'and public addresses. --to: a receiver to connect to with the TLS of ' +
    'callbacks; CALLBACK_CA_FILE adds to the authorities that Node trusts. --services: admin addresses ' +
    'of running services. --trust: authorities, in PEM, by which receivers trust the certificates of ' +
    'this installation; it does not apply to receivers',
  options: {
    of: optional('SERVICE,…', someOf(SERVICE_NAMES)),
    to: optional('URL', address),
    services: optional('URL,…', addresses),
    trust: optional('FILE', String),
    ...jsonOption,
  },
  run: async ({ of, to, services, trust, json }, terminal) => {
    const trustPem = trust === undefined ? undefined : await terminal.files.text(trust);
    const findings = await examine(terminal, { of: of ?? SERVICE_NAMES, to, services: services ?? [], trustPem });
    show(terminal, { json }, { findings }, () => findings.map(lineOf));
    return exitOf(findings);
  },
});
