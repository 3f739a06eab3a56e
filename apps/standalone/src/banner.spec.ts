import { banner, shownHost, type BannerFacts } from './banner';

const facts: BannerFacts = {
  url: 'http://localhost:8080',
  urlV1: 'http://localhost:8080',
  adminUrl: 'http://localhost:9090',
  stores: { kind: 'servers' },
  profile: 'production',
  sandbox: undefined,
  operatorLink: undefined,
};

it.each([
  ...['127.0.0.1', '0.0.0.0', '::', '::1'].map((address) => [address, 'localhost']),
  ...[
    ['fd00::7', '[fd00::7]'],
    ['10.0.0.7', '10.0.0.7'],
    ['dsr.example', 'dsr.example'],
  ],
])('of an address that is listened on, %s, shows a host that a URL may have', (address, host) => {
  expect(shownHost(address)).toBe(host);
  expect(new URL(`http://${shownHost(address)}:8080`).port).toBe('8080');
});

it('shows the link that signs in once, with its secret behind #', () => {
  const link = { url: 'http://localhost:8083', token: 'abc' };
  expect(banner({ ...facts, operatorLink: link })).toContain(
    '  console     http://localhost:8083/console/sign-in#abc (signs in once)\n',
  );
  expect(banner(facts)).not.toContain('console');
});

it('says where each version of the protocol is', () => {
  expect(banner(facts)).toContain(
    'OpenDSR 2.0 at http://localhost:8080/v2, OpenGDPR 1.0 at http://localhost:8080/v1\n',
  );
  expect(banner({ ...facts, urlV1: 'http://localhost:8081' })).toContain('OpenGDPR 1.0 at http://localhost:8081/v1\n');
  expect(banner({ ...facts, urlV1: undefined })).not.toContain('OpenGDPR');
});
