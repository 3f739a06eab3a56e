import { isInfrastructureError, isUnavailable } from './is-unavailable';

const away = Object.assign(new Error('no answer'), { name: 'KeyServiceAway' });
const vaultError = (kind: string) => Object.assign(new Error('no key'), { name: 'VaultError', kind });
const bug = new Error('a bug');
Object.assign(bug, { cause: new Error('in it', { cause: bug }) });

it.each([
  ['a key service that is away', away, true],
  ...['key-service', 'generation-files', 'generation-lost'].map((kind): [string, Error, boolean] => [
    `keys that are out of reach (${kind})`,
    vaultError(kind),
    true,
  ]),
  ['a key that was altered', vaultError('key-unreadable'), false],
  ['an error that it caused', new Error('not sealed', { cause: away }), true],
  ['an error whose causes lead back to it', bug, false],
])('%s: whether it is a fault of the infrastructure', (_, error, is) => {
  expect([isInfrastructureError(error), isUnavailable(error)]).toEqual([is, is]);
});
