import { answersIn, head, rawExchange } from './testing/exchange';
import { startNotes } from './testing/notes-server';

describe('the source address of a call', () => {
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
    ['the peer without trusted proxies', undefined, forwarded('203.0.113.9'), '127.0.0.1'],
    ['the peer if it is not a proxy', ['10.0.0.0/8'], forwarded('203.0.113.9'), '127.0.0.1'],
    ['the peer if the proxy sends no header', ['127.0.0.1'], '', '127.0.0.1'],
    ['the address that the proxy sends', ['127.0.0.1'], forwarded('203.0.113.9'), '203.0.113.9'],
    [
      'the nearest hop that is not a proxy, whatever precedes it',
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
      'the farthest proxy if garbage precedes it',
      ['127.0.0.0/8', '10.0.0.0/8'],
      forwarded('203.0.113.9, <planted>, 10.1.2.3'),
      '10.1.2.3',
    ],
    ['the peer if all is garbage', ['127.0.0.0/8'], forwarded(`planted, ${'9'.repeat(500)}, ,,`), '127.0.0.1'],
    ['an address with a port, without it', ['127.0.0.0/8'], forwarded('203.0.113.9:4711'), '203.0.113.9'],
    ['an address in brackets, without them', ['127.0.0.0/8'], forwarded('[2001:db8::7]:4711'), '2001:db8::7'],
    [
      'the address behind a proxy of the other address family',
      ['::1', '::ffff:127.0.0.1', '127.0.0.1'],
      forwarded('203.0.113.9'),
      '203.0.113.9',
    ],
  ])('is %s', async (_what, proxies, headers, ip) => {
    expect(await ipOf(proxies, headers)).toBe(ip);
  });
});
