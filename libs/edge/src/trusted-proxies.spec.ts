import { answersIn, head, rawExchange } from './testing/exchange';
import { startNotes } from './testing/notes-server';

describe('where a call comes from', () => {
  const ipOf = async (proxies: string[] | undefined, headers: string) => {
    const server = await startNotes(proxies && { trustedProxies: proxies });
    try {
      return (
        JSON.parse(answersIn(await rawExchange(server.publicPort, head('GET /v2/notes', headers)))[0]?.body ?? '') as {
          ip: string;
        }
      ).ip;
    } finally {
      await server.stop();
    }
  };
  const forwarded = (value: string) => `X-Forwarded-For: ${value}\r\n`;

  it.each([
    ['the peer, where nobody is trusted', undefined, forwarded('203.0.113.9'), '127.0.0.1'],
    ['the peer, where it is not one of the proxies', ['10.0.0.0/8'], forwarded('203.0.113.9'), '127.0.0.1'],
    ['the peer, where the proxy says nothing', ['127.0.0.1'], '', '127.0.0.1'],
    ['what the proxy says', ['127.0.0.1'], forwarded('203.0.113.9'), '203.0.113.9'],
    [
      'the nearest hop that is no proxy, whatever stands before it',
      ['127.0.0.0/8', '10.0.0.0/8'],
      forwarded('1.1.1.1, 203.0.113.9, 10.1.2.3'),
      '203.0.113.9',
    ],
    [
      'the nearest hop over several headers',
      ['127.0.0.0/8', '10.0.0.0/8'],
      forwarded('1.1.1.1') + forwarded('2001:db8::7') + forwarded('10.1.2.3'),
      '2001:db8::7',
    ],
    [
      'the farthest proxy, where garbage stands before it',
      ['127.0.0.0/8', '10.0.0.0/8'],
      forwarded('203.0.113.9, <planted>, 10.1.2.3'),
      '10.1.2.3',
    ],
    ['the peer, where all is garbage', ['127.0.0.0/8'], forwarded(`planted, ${'9'.repeat(500)}, ,,`), '127.0.0.1'],
    ['an address with a port, without it', ['127.0.0.0/8'], forwarded('203.0.113.9:4711'), '203.0.113.9'],
    ['an address in brackets, without them', ['127.0.0.0/8'], forwarded('[2001:db8::7]:4711'), '2001:db8::7'],
    [
      'a proxy in the other family of addresses',
      ['::1', '::ffff:127.0.0.1', '127.0.0.1'],
      forwarded('203.0.113.9'),
      '203.0.113.9',
    ],
  ])('is %s', async (_what, proxies, headers, ip) => {
    expect(await ipOf(proxies, headers)).toBe(ip);
  });
});
