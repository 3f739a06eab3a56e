import { checkNewParticipant, type NewParticipant } from './new-participant';

const crm: NewParticipant = {
  ws: 'acme',
  name: 'crm',
  domain: 'crm.example.com',
  types: ['access', 'erasure'],
  identityTypes: ['email'],
};

it('accepts names, domains, types and identity types of the interface', () => {
  for (const good of [
    crm,
    { ...crm, name: 'a' },
    { ...crm, name: 'c-3'.padEnd(63, 'x') },
    { ...crm, domain: 'xn--mnchen-3ya.example' },
    { ...crm, identityTypes: undefined },
  ]) {
    expect(() => {
      checkNewParticipant(good);
    }).not.toThrow();
  }
});

it.each([
  ['name', ['', 'CRM', '-crm', 'crm-', 'c:m', 'c m', 'x'.repeat(64), 'ingestion', 'results'].map((name) => ({ name }))],
  [
    'domain',
    [
      '',
      'Crm.example',
      'crm..example',
      '.example',
      'crm.example.',
      '-a.example',
      'a_b.example',
      'https://crm.example',
      'a.'.repeat(127) + 'ab',
    ].map((domain) => ({ domain })),
  ],
  ['types', [[], ['all'], ['access', 'access']].map((types) => ({ types }))],
  ['identityTypes', [[], ['phone'], ['email', 'email']].map((identityTypes) => ({ identityTypes }))],
])('refuses an invalid %s', (_, bad) => {
  for (const change of bad as object[])
    expect(() => {
      checkNewParticipant({ ...crm, ...change });
    }).toThrow(TypeError);
});
