import { nameOf, ofKind, type Manifest } from '../manifest';
import type { Rule } from './rule';

interface Backend {
  readonly from: string;
  readonly service: string | undefined;
  readonly port: string | number | undefined;
}

const ofIngresses = (objects: readonly Manifest[]): Backend[] =>
  ofKind(objects, 'Ingress').flatMap((ingress) => {
    const backends = [
      ingress.spec?.defaultBackend,
      ...(ingress.spec?.rules ?? []).flatMap(({ http }) => (http?.paths ?? []).map(({ backend }) => backend)),
    ];
    return backends.flatMap((backend) =>
      backend
        ? [
            {
              from: nameOf(ingress),
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
      backendRefs.map(({ name, port }) => ({ from: nameOf(route), service: name, port })),
    ),
  );

/** What leads in from outside leads to a public port of a Service that is there, never to the port of metrics and internal routes. */
export const noAdminPort: Rule = (objects) => {
  const services = ofKind(objects, 'Service');
  const outside = services.filter(({ spec }) => ['LoadBalancer', 'NodePort'].includes(spec?.type ?? 'ClusterIP'));
  return [
    ...[...ofIngresses(objects), ...ofRoutes(objects)].flatMap(({ from, service: name, port }) => {
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
