import { cosigner, testSigner } from '@opendsr-service/transparency/testing';
import { privateKeyText } from '@opendsr-service/transparency';
import { ConfigurationError, readSettings } from './read-settings';
import { checkWitnesses, witnessesOf, witnessSettings } from './witness-settings';

const keyOf = (name: string, fill: number) =>
  cosigner(privateKeyText(name, Buffer.alloc(32, fill)), () => 0n).verifierKey;
const [one, other] = [keyOf('witness.example/w1', 1), keyOf('witness.example/w2', 2)];
const read = (text: string) => readSettings(witnessSettings, { TRANSPARENCY_WITNESSES: text }, checkWitnesses);
const faultsOf = (text: string): readonly string[] => {
  try {
    read(text);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.faults;
    throw error;
  }
  return [];
};

it('names each witness by its verifier key and its address', () => {
  expect(witnessesOf(read(''))).toEqual([]);
  const found = witnessesOf(read(`${one} https://witness.example/w1/, ${other}  http://10.1.2.3:7380`));
  expect(found.map(({ verifier, url }) => [verifier.name, url])).toEqual([
    ['witness.example/w1', 'https://witness.example/w1'],
    ['witness.example/w2', 'http://10.1.2.3:7380'],
  ]);
});

it.each([
  ['no address', `${one} https://w.example,${other}`, 'entry 2'],
  ['no key', 'https://w.example', 'entry 1'],
  ['an address with a user', `${one} https://user:planted@w.example`, 'entry 1'],
  ['another protocol', `${one} ftp://w.example`, 'entry 1'],
  ['more than key and address', `${one} https://w.example https://w.example`, 'entry 1'],
  ['a key that does not belong to its name', `x${one} https://w.example`, 'entry 1'],
  ['the key of a log', `${testSigner().verifierKey} https://w.example`, 'entry 1'],
])('refuses an entry with %s, and repeats nothing of it', (_what, text, entry) => {
  const [fault, ...more] = faultsOf(text);
  expect([fault, more]).toEqual([
    `TRANSPARENCY_WITNESSES: ${entry} must be the verifier key of a witness (cosignature/v1), a space, and its http(s) address`,
    [],
  ]);
});

it('refuses a list that names a witness twice', () => {
  expect(faultsOf(`${one} https://a.example,${keyOf('witness.example/w1', 9)} https://b.example`)).toEqual([
    'TRANSPARENCY_WITNESSES: must name each witness once',
  ]);
});
