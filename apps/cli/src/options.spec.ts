import {
  address,
  baseAddress,
  flag,
  givenOptions,
  instant,
  matching,
  oneOf,
  operand,
  optional,
  required,
  someOf,
  usageOf,
  UsageError,
  wholeNumber,
} from './options';

const options = {
  name: required('NAME', matching(/^[a-z]+$/, 'small letters')),
  types: required('access,erasure', someOf(['access', 'erasure'])),
  policy: optional('accept|drop', oneOf(['accept', 'drop'])),
  reason: optional('TEXT', String),
};
const more = {
  port: optional('N', wholeNumber(1, 9)),
  at: optional('TIME', instant),
  to: optional('URL', address),
  base: optional('URL', baseAddress),
  plain: flag,
};
const read = (line: string) =>
  givenOptions(
    line.split(' ').filter((word) => word !== ''),
    options,
  );

describe('the options of a command', () => {
  it('are read in any order, with a space or with =, each by its own rule', () => {
    expect(read('--types erasure,access,erasure --name crm')).toEqual({
      name: 'crm',
      types: ['erasure', 'access'],
      policy: undefined,
      reason: undefined,
    });
    expect(read('--name=crm --types=access --policy drop --reason=late')).toEqual({
      name: 'crm',
      types: ['access'],
      policy: 'drop',
      reason: 'late',
    });
  });

  it.each([
    ['--types access', '--name is missing'],
    ['--name crm --types', "Option '--types <value>' argument missing"],
    ['--name= --types access', '--name is empty'],
    ['--name CRM --types access', '--name: must be small letters'],
    ['--name crm --types access,deletion', '--types: must be one of access, erasure'],
    ['--name crm --types access --policy keep', '--policy: must be one of accept, drop'],
    ['--name crm --types access --secret x', "Unknown option '--secret'"],
    ['--name crm --types access --name erp', '--name is given more than once'],
    ['--name crm --types=access --types=erasure', '--types is given more than once'],
    ['crm --name crm --types access', 'every value needs an --option before it'],
  ])('are refused in words that say what is wrong: %s', (line, words) => {
    expect(() => read(line)).toThrow(UsageError);
    expect(() => read(line)).toThrow(words);
  });

  it('are numbers, times, addresses, and words that stand alone', () => {
    const wordsOf = (line: string) => givenOptions(line.split(' '), more);
    expect(wordsOf('--plain --port 9 --at 2025-05-25')).toEqual({
      plain: true,
      port: 9,
      at: new Date('2025-05-25T00:00:00Z'),
      to: undefined,
      base: undefined,
    });
    expect(wordsOf('--to http://a.example/b?c --base https://a.example/b --at 2025-05-25T10:00+02:00')).toMatchObject({
      to: new URL('http://a.example/b?c'),
      base: new URL('https://a.example/b'),
      at: new Date('2025-05-25T08:00:00Z'),
    });
    for (const bad of [
      '--port 0',
      '--port 10',
      '--port x',
      '--at noon',
      '--at 2025-05-25T10:00',
      '--at 2025-13-25',
      '--to ftp://a.example',
      '--to a.example',
      '--to https://user@a.example',
      '--to https://:secret@a.example',
      '--to https://a.example/#part',
      '--base https://:secret@a.example',
      '--base https://a.example/?',
      '--base https://a.example/#',
      '--plain=yes',
      '--plain --plain',
    ]) {
      expect(() => wordsOf(bad)).toThrow(UsageError);
    }
    expect(usageOf(more)).toBe('[--port N] [--at TIME] [--to URL] [--base URL] [--plain]');
  });

  it('repeat no word that stands alone, for it may be a secret', () => {
    expect(() => read('--name crm --types access dsrs_planted')).not.toThrow('planted');
    expect(() => read('--name crm --types access dsrs_planted')).toThrow(UsageError);
  });

  it('have one value without a name where the command says so', () => {
    const withFile = { file: operand('FILE', matching(/^[a-z-]+$/, 'small letters')), plain: flag };
    const wordsOf = (line: string) => givenOptions(line.split(' '), withFile);
    for (const line of ['bundle --plain', '--plain bundle'])
      expect(wordsOf(line)).toEqual({ file: 'bundle', plain: true });
    expect(wordsOf('-')).toEqual({ file: '-', plain: undefined });
    expect(usageOf(withFile)).toBe('FILE [--plain]');
    expect(() => wordsOf('--plain')).toThrow('FILE is missing');
    expect(() => wordsOf('BUNDLE')).toThrow('FILE: must be small letters');
    expect(() => wordsOf('bundle planted')).toThrow(new UsageError('only one value stands without an --option'));
  });

  it('are shown as they are written', () => {
    expect(usageOf(options)).toBe('--name NAME --types access,erasure [--policy accept|drop] [--reason TEXT]');
  });
});
