import { readSettings, type Environment } from '@opendsr-service/config';
import { checkGateway, gatewayTable } from './gateway.config';

const faults = (env: Environment): string[] => checkGateway(readSettings(gatewayTable, env));

it('requires the signing files of version 2, and of version 1 if it is served', () => {
  const v2 = { SIGNING_KEY_FILE_V2: __filename, SIGNING_CHAIN_FILE_V2: __filename };
  const signing = (env: Environment) => faults(env).filter((fault) => fault.includes('SIGNING'));
  expect(signing({})).toHaveLength(2);
  expect(signing(v2)).toEqual(['SIGNING_KEY_FILE_V1 and SIGNING_CHAIN_FILE_V1: must be set, or SERVE_V1 to false']);
  expect(signing({ ...v2, SERVE_V1: 'false' })).toEqual([]);
  expect(signing({ ...v2, SIGNING_KEY_FILE_V1: __filename, SIGNING_CHAIN_FILE_V1: __filename })).toEqual([]);
});

it('refuses a port for version 1 that another listener has', () => {
  expect(faults({ PORT_V1: '9090' }).filter((fault) => fault.includes('PORT_V1'))).toHaveLength(1);
});
