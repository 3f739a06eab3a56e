/** Hosts that are an address of a place where no callback may go, in every way that a URL can write it. */
export const HOSTILE_ADDRESSES: readonly string[] = [
  // This machine, as IPv4 in all of its forms.
  '127.0.0.1', '127.0.0.1.', '127.1', '127.0.1', '127.255.255.254', '2130706433', '017700000001', '0177.0.0.1', '0x7f000001', '0x7F.1', '0x7f.0x0.0x0.0x1', '0177.1',
  '１２７.０.０.１', '①②⑦.⓪.⓪.①', '127。0。0。1', '%31%32%37.0.0.1', '0.0.0.0', '0',
  // Private networks, a carrier's NAT, link-local.
  '10.0.0.1', '10.255.255.255', '0x0a000001', '172.16.0.1', '172.31.255.254', '192.168.0.1', '3232235521', '100.64.0.1', '169.254.1.1',
  // Metadata of clouds.
  '169.254.169.254', '2852039166', '0xa9fea9fe', '0251.0376.0251.0376', '169.254.170.2', '100.100.100.200', '168.63.129.16', '192.0.0.192', '[fd00:ec2::254]', '[fd20:ce::254]',
  // Multicast, broadcast, reserved, documentation, benchmarks, relays.
  '224.0.0.1', '239.255.255.250', '255.255.255.255', '240.0.0.1', '192.0.2.1', '198.51.100.7', '203.0.113.9', '198.18.0.1', '198.19.255.254', '192.88.99.1',
  // IPv6 of this machine and of networks of one's own.
  '[::1]', '[0:0:0:0:0:0:0:1]', '[::]', '[fe80::1]', '[fec0::1]', '[fc00::1]', '[fdff:ffff::1]', '[ff02::1]', '[ff05::1:3]',
  // IPv4 inside of IPv6: mapped, translated, compatible, NAT64 (public and local prefix), 6to4, Teredo.
  '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::ffff:a9fe:a9fe]', '[::ffff:10.0.0.1]', '[::ffff:0:127.0.0.1]', '[::127.0.0.1]', '[::a00:1]', '[64:ff9b::127.0.0.1]', '[64:ff9b::a9fe:a9fe]',
  '[64:ff9b::192.168.0.1]', '[64:ff9b:1::10.0.0.1]', '[64:ff9b:1:ffff::1]', '[2002:7f00:1::1]', '[2002:a9fe:a9fe::1]', '[2002:a00:1::]', '[2001:0:4136:e378:8000:63bf:3fff:fdd2]', '[2001::f5ff:fffe]',
  // Documentation, benchmarks, ORCHID, discard-only, SRv6, what nobody was given.
  '[2001:db8::1]', '[3fff::1]', '[2001:2::1]', '[2001:10::1]', '[2001:20::1]', '[100::1]', '[5f00::1]', '[4000::1]', '[e000::1]',
];

/** Names that mean something inside of a network alone. */
export const HOSTILE_NAMES: readonly string[] = [
  'localhost', 'LOCALHOST.', 'receiver.localhost', 'localhost.localdomain', 'metadata', 'metadata.google.internal', 'kubernetes.default.svc.cluster.local', 'printer.lan', 'db.corp', 'nas.home.arpa', 'wiki.intranet',
  'localhost..', 'localhost.svc', '*.svc', 'gateway.dsr.svc', 'a..b.example', '.x.example',
];

/** Whole URLs that are wrong in another way than by their host. `PORT` stands for one where somebody listens on this machine. */
export const HOSTILE_URLS: readonly string[] = [
  'http://controller.example/', 'http://127.0.0.1:PORT/', 'file:///etc/passwd', 'gopher://127.0.0.1:PORT/_x', 'ftp://controller.example/', 'ws://127.0.0.1:PORT/', 'data:text/plain,x', 'javascript:alert(1)', 'unix:/run/docker.sock',
  'https://controller.example@127.0.0.1:PORT/', 'https://user:secret@controller.example/', 'https://127.0.0.1:PORT#@controller.example/', 'https://controller.example\\@127.0.0.1:PORT/', 'https://controller.example:443\\@127.0.0.1/',
  'https://127.0.0.1:PORT\t/', 'https://127.0\n.0.1:PORT/', 'https://controller.example/ HTTP/1.1\r\nHost: x', '//127.0.0.1:PORT/', 'https:/127.0.0.1:PORT/', 'https:127.0.0.1:PORT/', 'https:///127.0.0.1:PORT/', 'https://[::1', 'https://[fe80::1%25lo]:PORT/', 'https://',
  'https://controller.example:22/', 'https://controller.example:25/', 'https://controller.example:6379/', 'https://controller.example:9090/', 'https://1.1.1.1:80/', 'https://[2606:4700::1111]:8080/', 'https://controller.example:0/', 'https://controller.example:65536/',
];
