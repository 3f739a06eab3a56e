import { isInfrastructureError, isUnavailable } from './is-unavailable';

const away = Object.assign(new Error('no answer'), { name: 'KeyServiceAway' });
const bug = new Error('a bug');
Object.assign(bug, { cause: new Error('in it', { cause: bug }) });

it.each([
  ['a key service that is away', away, true],
  ['an error that it caused', new Error('not sealed', { cause: away }), true],
  ['an error whose causes lead back to it', bug, false],
])('%s: whether it is a fault of the infrastructure', (_, error, is) => {
  expect([isInfrastructureError(error), isUnavailable(error)]).toEqual([is, is]);
});
