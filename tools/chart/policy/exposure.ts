import { nameOf, ofKind, type Manifest } from '../manifest';
import type { Rule } from './rule';

interface Backend {
  readonly from: string;
  /** For which hosts; all of them where there is none. */
  readonly hosts: readonly string[];
  readonly service: string | undefined;
  readonly port: string | number | undefined;
}

const ofIngresses = (objects: readonly Manifest[]): Backend[] =>
  ofKind(objects, 'Ingress').flatMap((ingress) => {
    const { defaultBackend, rules = [] } = ingress.spec ?? {};
    const led = [
      { host: undefined, backend: defaultBackend },
      ...rules.flatMap(({ host, http }) => (http?.paths ?? []).map(({ backend }) => ({ host, backend }))),
    ];
    return led.flatMap(({ host, backend }) =>
      backend
        ? [
            {
              from: nameOf(ingress),
              hosts: host === undefined ? [] : [host],
              service: backend.service?.name,
              port: backend.service?.port?.name ?? backend.service?.port?.number,
            },
          ]
        : [],
    );
  });

const ofRoutes = (objects: readonly Manifest[]): Backend[] =>
  ofKind(objects, 'HTTPRoute').flatMap((route) =>
    (route.spec?.rules ?? []).flatMap(({ backendRefs = [] }) =>
      backendRefs.map(({ name, port }) => ({
        ...{ from: nameOf(route), hosts: route.spec?.hostnames ?? [] },
        ...{ service: name, port },
      })),
    ),
  );

const backends = (objects: readonly Manifest[]): Backend[] => [...ofIngresses(objects), ...ofRoutes(objects)];

/** The console and its API have a host of their own: neither callers nor their cookies come to it, and it leads to no other port. */
export const operatorsApart: Rule = (objects) => {
  const all = backends(objects);
  const elsewhere = new Set(all.filter((backend) => !leadsToOperators(backend)).flatMap(({ hosts }) => hosts));
  return all.filter(leadsToOperators).flatMap(({ from, hosts }) => {
    if (hosts.length === 0) return [`${from}: must lead to operators from a host of their own`];
    return hosts
      .filter((host) => elsewhere.has(host))
      .map((host) => `${from}: ${host} must not lead to callers and to operators`);
  });
};

const leadsToOperators = ({ port }: Backend): boolean => port === 'operator' || port === 8083;

/** What leads in from outside leads to a public port of a Service that is there, never to the port of metrics and internal routes. */
export const noAdminPort: Rule = (objects) => {
  const services = ofKind(objects, 'Service');
  const outside = services.filter(({ spec }) => ['LoadBalancer', 'NodePort'].includes(spec?.type ?? 'ClusterIP'));
  return [
    ...backends(objects).flatMap(({ from, service: name, port }) => {
      const found = services
        .find(({ metadata }) => metadata?.name === name)
        ?.spec?.ports?.find((one) => one.name === port || one.port === port);
      if (!found) return [`${from}: leads to the port ${String(port)} of ${String(name)}, which is not there`];
      return isAdmin(found) ? [`${from}: must not lead to the admin port of ${String(name)}`] : [];
    }),
    ...outside
      .filter(({ spec }) => spec?.ports?.some(isAdmin))
      .map((service) => `${nameOf(service)}: must not show the admin port outside of the cluster`),
  ];
};

const isAdmin = ({
  name,
  port,
  targetPort,
}: {
  readonly name?: string;
  readonly port: number;
  readonly targetPort?: string | number;
}): boolean => [name, targetPort].includes('admin') || [port, targetPort].includes(9090);
