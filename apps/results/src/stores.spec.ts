import { archivesContract } from './archives/build.contract';

describe('on the embedded store', () => {
  describe('archives', () => archivesContract());
});
