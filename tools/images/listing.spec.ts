import { readListing } from './listing';

const good = [
  'drwxr-xr-x 0/0               0 1970-01-01 00:00 app/',
  '-r--r--r-- 0/0             900 1970-01-01 00:00 app/opendsr.mjs',
  '-r-xr-xr-x 0/0       126595440 1970-01-01 00:00 usr/local/bin/node',
  'drwxrwsr-x 0/50              0 1970-01-01 00:00 var/local/',
  'drwx------ 65532/65532       0 1970-01-01 00:00 data/',
  'lrwxrwxrwx 0/0               0 2024-01-01 00:00 usr/share/zoneinfo/sh -> UTC',
];
const listing = (...more: string[]) => readListing([...good, ...more, ''].join('\n'));

it('has nothing to say about Node, the files of the apps and libraries', () => {
  expect(listing()).toEqual({ shells: [], setuid: [], writable: [] });
});

it('finds a shell, also a link to one', () => {
  expect(
    listing('lrwxrwxrwx 0/0 0 2024-01-01 00:00 bin/sh -> dash', '-rwxr-xr-x 0/0 9 2024-01-01 00:00 ./usr/bin/busybox')
      .shells,
  ).toEqual(['bin/sh', 'usr/bin/busybox']);
});

it('finds programs with the rights of their owner or group', () => {
  expect(
    listing('-rwsr-xr-x 0/0 9 2024-01-01 00:00 usr/bin/su', '-rwxr-sr-x 0/42 9 2024-01-01 00:00 usr/bin/expiry').setuid,
  ).toEqual(['usr/bin/su', 'usr/bin/expiry']);
});

it('finds files of the apps that are not root’s, or that may be written', () => {
  const files = [
    '-r--r--r-- 65532/0 9 1970-01-01 00:00 app/a.mjs',
    '-rw-r--r-- 0/0 9 1970-01-01 00:00 app/b.mjs',
    'drwxrwxrwx 0/0 0 1970-01-01 00:00 app/c/',
  ];
  expect(listing(...files).writable).toEqual(['app/a.mjs', 'app/b.mjs', 'app/c/']);
});
