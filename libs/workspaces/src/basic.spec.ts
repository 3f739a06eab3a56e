import { parseBasic } from './basic';

const basic = (bytes: string | Buffer) => `Basic ${Buffer.from(bytes).toString('base64')}`;

describe('an Authorization header', () => {
  it('is split at the first colon; the secret may contain others', () => {
    expect(parseBasic(basic('key:se:cret'))).toEqual({ key: 'key', secret: 'se:cret' });
    expect(parseBasic(basic('key:'))).toEqual({ key: 'key', secret: '' });
  });

  it('names the scheme in any case, and is UTF-8', () => {
    expect(parseBasic(basic('kéy:💌').replace('Basic ', 'bASIC  '))).toEqual({ key: 'kéy', secret: '💌' });
  });

  it('may lack the padding', () => {
    expect(parseBasic(basic('key:secret').replaceAll('=', ''))).toEqual({ key: 'key', secret: 'secret' });
  });

  it.each([
    ['nothing', undefined],
    ['an empty text', ''],
    ['another scheme', 'Bearer a2V5OnNlY3JldA=='],
    ['no credentials', 'Basic '],
    ['no colon', basic('key')],
    ['no key', basic(':secret')],
    ['bytes that are not UTF-8', basic(Buffer.from([0x6b, 0x3a, 0xff]))],
    ['a control character', basic('key:sec\nret')],
    ['what is not Base64', 'Basic a2V5*OnNlY3JldA=='],
    ['two headers joined into one', `${basic('a:b')}, ${basic('c:d')}`],
    ['more than 1 KiB', basic(`key:${'x'.repeat(1024)}`)],
  ])('is not a credential when it is %s', (_, header) => {
    expect(parseBasic(header)).toBeUndefined();
  });
});
