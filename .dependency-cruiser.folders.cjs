/** The folders of one project form no cycle. Only what runs in production counts: specs may use each other's folders. */
const { options } = require('./.dependency-cruiser.cjs');

module.exports = {
  forbidden: [
    {
      name: 'no-folder-cycle',
      severity: 'error',
      scope: 'folder',
      comment: 'Two folders that need each other are one folder, or need a third.',
      from: { path: '^(apps|libs)/[^/]+/src(/|$)' },
      to: { circular: true },
    },
  ],
  options: { ...options, exclude: { path: '(^|/)dist/|\\.(spec|contract)\\.ts$|/testing/' } },
};
