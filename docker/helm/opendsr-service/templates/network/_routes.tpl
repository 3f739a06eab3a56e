{{/*
opendsr.routes: where hosts lead, JSON list for `fromJsonArray`: name, host, service and the name of its port. One host for each version that is served,
unless both have one, and one for ingestion. The admin port is never among them. Takes (dict "root" $ "hosts" .Values.ingress.hosts).
*/}}
{{- define "opendsr.routes" -}}
{{- $root := .root -}}
{{- $gateway := include "opendsr.componentName" (dict "root" $root "component" (include "opendsr.appOf" (dict "root" $root "app" "gateway"))) -}}
{{- $ingestion := include "opendsr.componentName" (dict "root" $root "component" (include "opendsr.appOf" (dict "root" $root "app" "ingestion"))) -}}
{{- $v2 := .hosts.v2 | default (include "opendsr.hostOf" $root.Values.gateway.baseUrlV2) -}}
{{- $v1 := .hosts.v1 | default (include "opendsr.hostOf" $root.Values.gateway.baseUrlV1) -}}
{{- $routes := list (dict "name" "v2" "host" $v2 "service" $gateway "port" "http") -}}
{{- if and $root.Values.gateway.serveV1 (ne $v1 $v2) -}}
{{- $own := eq "true" (include "opendsr.ownHostV1" $root) -}}
{{- $routes = append $routes (dict "name" "v1" "host" $v1 "service" $gateway "port" (ternary "http-v1" "http" $own)) -}}
{{- end -}}
{{- /* One port of the standalone app serves version 2 and ingestion. */ -}}
{{- $shared := and (include "opendsr.embedded" $root) (eq .hosts.ingestion $v2) -}}
{{- if and .hosts.ingestion (not $shared) }}{{ $routes = append $routes (dict "name" "ingestion" "host" .hosts.ingestion "service" $ingestion "port" "http") }}{{ end -}}
{{- $routes | toJson -}}
{{- end }}

{{/* opendsr.operatorRoute: where the host of operatorApi.url leads, an entry of that list as JSON. Takes the root. */}}
{{- define "opendsr.operatorRoute" -}}
{{- $gateway := include "opendsr.componentName" (dict "root" . "component" (include "opendsr.appOf" (dict "root" . "app" "gateway"))) -}}
{{- dict "name" "operators" "host" (include "opendsr.hostOf" .Values.operatorApi.url) "service" $gateway "port" "operator" | toJson -}}
{{- end }}

{{/* opendsr.ingress: an Ingress. Takes (dict "root" $ "name" … "ingress" <className, annotations, tls> "routes" [entries of opendsr.routes]). */}}
{{- define "opendsr.ingress" -}}
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  {{- include "opendsr.metadata" (dict "root" .root "name" .name "annotations" .ingress.annotations) | nindent 2 }}
spec:
  {{- with .ingress.className }}
  ingressClassName: {{ . }}
  {{- end }}
  rules:
    {{- range .routes }}
    - host: {{ .host | quote }}
      http:
        paths:
          - path: /
            pathType: Prefix
            backend:
              service:
                name: {{ .service }}
                port:
                  name: {{ .port }}
    {{- end }}
  {{- with .ingress.tls }}
  tls:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}

{{/* opendsr.httpRoute: an HTTPRoute. Takes (dict "root" $ "gatewayApi" <parentRefs, annotations> "route" <entry of opendsr.routes>). */}}
{{- define "opendsr.httpRoute" -}}
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata:
  {{- include "opendsr.metadata" (dict "root" .root "name" (include "opendsr.componentName" (dict "root" .root "component" .route.name)) "annotations" .gatewayApi.annotations) | nindent 2 }}
spec:
  parentRefs:
    {{- toYaml .gatewayApi.parentRefs | nindent 4 }}
  hostnames:
    - {{ .route.host | quote }}
  rules:
    - matches:
        - path:
            type: PathPrefix
            value: /
      backendRefs:
        - name: {{ .route.service }}
          port: {{ include (printf "opendsr.port.%s" .route.port) . }}
{{- end }}
