import { files } from '../files.store';
import { folderFindings } from './folder-checks';

const found = async (facts: { readonly isOpen: boolean; readonly isOwn: boolean }) => {
  const [, access] = await folderFindings('/data', {
    ...files,
    freeBytes: () => Promise.resolve(1e12),
    isWritable: () => Promise.resolve(true),
    isOpenToOthers: () => Promise.resolve(facts.isOpen),
    isOwn: () => Promise.resolve(facts.isOwn),
  });
  return access;
};

it('warns of a data folder that others may read and that the service could close', async () => {
  expect(await found({ isOpen: true, isOwn: true })).toMatchObject({ state: 'warn', todo: 'restrict it: chmod 700' });
});

it('accepts the root of a volume, which belongs to another user, and a folder that is closed', async () => {
  expect(await found({ isOpen: true, isOwn: false })).toMatchObject({ state: 'ok' });
  expect(await found({ isOpen: false, isOwn: true })).toMatchObject({ state: 'ok' });
});
