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
