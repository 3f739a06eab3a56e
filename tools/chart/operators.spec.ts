import { goldenText, valuesOf } from './goldens';
import { manifestsOf, ofKind } from './manifest';
import { itInFull, representative } from '../testing/form';
import { describeWithHelm, helm } from './testing/with-helm';

const withConsole = (operatorApi: object) => ({
  operatorApi: {
    ...{ enabled: true, url: 'https://operators.example.com', roles: ['dsr-admins=admin'] },
    oidc: { issuer: 'https://idp.example.com', clientId: 'console', audience: 'operators' },
    ...operatorApi,
  },
  networkPolicy: { operatorsFrom: [{ podSelector: {} }] },
});

/** Faulty changes of the minimal values, with their messages. */
const bad: readonly (readonly [what: string, values: object, message: RegExp])[] = [
  [
    'a console’s host without a console',
    { operatorApi: { ingress: { enabled: true } } },
    /operatorApi\.ingress\.enabled: leads nowhere/,
  ],
  [
    'a console without TLS, below a path',
    withConsole({ url: 'http://operators.example.com/dsr', ingress: { enabled: true } }),
    /operatorApi\.url: must be https[^]*operatorApi\.url: must have no path/,
  ],
  [
    'a console and a provider without TLS',
    withConsole({
      url: 'http://operators.example.com',
      oidc: { issuer: 'http://idp.example.com', clientId: 'console', audience: 'operators' },
    }),
    /operatorApi\.url: must be https[^]*operatorApi\.oidc\.issuer: must be https/,
  ],
  [
    'a console on a public host',
    withConsole({ url: 'https://opendsr.example.com', ingress: { enabled: true } }),
    /operatorApi\.url: must have a host of its own where operatorApi\.ingress\.enabled is true; opendsr\.example\.com leads/,
  ],
  [
    'a console by a route to nowhere, with operators who count as one',
    withConsole({ gatewayApi: { enabled: true } }),
    /operatorApi\.gatewayApi\.parentRefs: name the Gateway[^]*gateway\.trustedProxies: name the addresses/,
  ],
  [
    'an unknown key of its Ingress',
    withConsole({ ingress: { host: 'operators.example.com' } }),
    /at '\/operatorApi\/ingress': additional properties 'host'/,
  ],
];

/** A `false` over a `true`, and what must be gone then. */
const switches: readonly (readonly [what: string, values: object, gone: (text: string) => boolean])[] = [
  [
    'operatorApi.gatewayApi.enabled',
    { operatorApi: { gatewayApi: { enabled: false } } },
    (text) => !text.includes('operators.example.com"\n  rules:'),
  ],
  [
    'operatorApi.enabled, with its route',
    { operatorApi: { enabled: false, gatewayApi: { enabled: false } } },
    (text) => !/OPERATOR_|operators\.example\.com|operator-client/.test(text),
  ],
];

describeWithHelm('the way of operators in', () => {
  it.each(representative(bad))('is refused as %s', (_what, values, message) => {
    const outcome = helm.template({ files: [valuesOf('minimal')], values });
    expect(outcome.ok ? 'is rendered' : outcome.message).toMatch(message);
  });

  it.each(representative(switches))('is gone without %s', (_what, values, gone) => {
    const outcome = helm.template({ files: [valuesOf('everything')], values });
    expect([gone(goldenText('everything')), outcome.ok ? gone(outcome.text) : outcome.message]).toEqual([false, true]);
  });

  itInFull('may be a forwarded port of the viewer’s machine', () => {
    const values = withConsole({ url: 'http://localhost:8083' });
    const outcome = helm.template({ files: [valuesOf('minimal')], values });
    expect(outcome.ok ? outcome.text : outcome.message).toContain('http://localhost:8083');
  });

  it('leads the host of the console, and it alone, to the port of operators', () => {
    const outcome = helm.template({
      files: [valuesOf('minimal')],
      values: {
        ...withConsole({ ingress: { enabled: true, className: 'inside' } }),
        ...{ ingress: { enabled: true, className: 'outside' }, gateway: { trustedProxies: [] } },
      },
    });
    const ingresses = ofKind(manifestsOf(outcome.ok ? outcome.text : ''), 'Ingress');
    expect(
      ingresses.flatMap(({ spec }) =>
        spec?.rules?.map(({ host, http }) => [
          ...[spec.ingressClassName, host],
          http?.paths[0]?.backend.service?.port?.name,
        ]),
      ),
    ).toEqual([
      ['outside', 'opendsr.example.com', 'http'],
      ['inside', 'operators.example.com', 'operator'],
    ]);
  });
});
