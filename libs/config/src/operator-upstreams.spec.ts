import { checkUpstreams, operatorUpstreamSettings } from './operator-settings';
import { readSettings } from './read-settings';

const read = (OPERATOR_UPSTREAMS: string) =>
  readSettings(operatorUpstreamSettings, { OPERATOR_UPSTREAMS }, checkUpstreams).OPERATOR_UPSTREAMS;

it('are services and their admin addresses', () => {
  const upstreams = ['request=http://request:9090', 'callback-dispatcher=https://dispatcher.example.com/admin'];
  expect(read(upstreams.join(', '))).toEqual(upstreams);
  expect(read('')).toEqual([]);
});

it.each([
  ['a service that is none of the others', 'gateway=http://gateway:9090'],
  ['no address', 'request'],
  ['an address with a password', 'request=http://user:secret@request:9090'],
  ['an address with a slash at its end', 'request=http://request:9090/'],
  ['a service twice', 'request=http://a:9090,request=http://b:9090'],
])('are refused with %s, without naming the value', (_what, text) => {
  expect(() => read(text)).toThrow(/^OPERATOR_UPSTREAMS: (?!.*secret)/);
});
