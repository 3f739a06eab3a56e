{{/* opendsr.embedded: "true" where the one standalone app runs on embedded stores in place of the five. Takes the root. */}}
{{- define "opendsr.embedded" -}}
{{- if .Values.standalone.enabled }}true{{ end -}}
{{- end }}

{{/*
opendsr.services: the apps that run, a JSON list for `fromJsonArray`: key in the values, name of the app, and what it has: the five, or standalone
alone. Takes the root.
*/}}
{{- define "opendsr.services" -}}
{{- if include "opendsr.embedded" . -}}
[{"key": "standalone", "app": "standalone", "public": true, "token": false, "signs": true, "log": true}]
{{- else -}}
[
  {"key": "gateway", "app": "gateway", "public": true, "token": true, "signs": true, "log": true},
  {"key": "request", "app": "request", "public": false, "token": true, "signs": false},
  {"key": "callbackDispatcher", "app": "callback-dispatcher", "public": false, "token": true, "signs": true},
  {"key": "results", "app": "results", "public": false, "token": true, "signs": false},
  {"key": "ingestion", "app": "ingestion", "public": true, "token": true, "signs": false}
]
{{- end -}}
{{- end }}

{{/* opendsr.appOf: which of the apps that run does the work of one of the five. Takes (dict "root" $ "app" "gateway"). */}}
{{- define "opendsr.appOf" -}}
{{- ternary "standalone" .app (eq "true" (include "opendsr.embedded" .root)) -}}
{{- end }}

{{/* opendsr.operator: the operator's tool as an entry of that list: it has the secrets of all of them, because it checks their settings. Takes the root. */}}
{{- define "opendsr.operator" -}}
{{- if include "opendsr.embedded" . -}}
{"key": "standalone", "app": "operator", "public": false, "token": false, "signs": true, "log": true}
{{- else -}}
{"key": "callbackDispatcher", "app": "operator", "public": false, "token": true, "signs": true, "log": true}
{{- end -}}
{{- end }}

{{/*
opendsr.service: the values of one app, JSON, for `fromJson`: `defaults`, and over them what the app says itself, key by key. A false, a 0 and an
empty list of the app count. The standalone app is always one process: another could not open its data. Takes (dict "root" $ "key" "callbackDispatcher").
*/}}
{{- define "opendsr.service" -}}
{{- $service := mustMergeOverwrite (mustDeepCopy .root.Values.defaults) (mustDeepCopy (index .root.Values .key)) -}}
{{- if eq .key "standalone" }}{{ $service = mustMergeOverwrite $service (dict "replicas" 1 "autoscaling" (dict "mode" "none")) }}{{ end -}}
{{- $service | toJson -}}
{{- end }}

{{/* opendsr.leastReplicas: how many replicas an app has at the least. Takes its merged values. */}}
{{- define "opendsr.leastReplicas" -}}
{{- if eq .autoscaling.mode "none" }}{{ int64 .replicas }}{{ else }}{{ int64 .autoscaling.minReplicas }}{{ end -}}
{{- end }}

{{/* Ports: the same in every installation, and those of the image. */}}
{{- define "opendsr.port.http" -}}8080{{- end }}
{{- define "opendsr.port.http-v1" -}}8081{{- end }}
{{- define "opendsr.port.operator" -}}8083{{- end }}
{{- define "opendsr.port.admin" -}}9090{{- end }}

{{/* opendsr.hostOf: the host of an address, without its port. Takes the address. */}}
{{- define "opendsr.hostOf" -}}
{{- regexReplaceAll ":[0-9]+$" (urlParse (. | default "")).host "" -}}
{{- end }}

{{/* opendsr.ownHostV1: "true" where version 1 has a host, and so a port, of its own. Takes the root. */}}
{{- define "opendsr.ownHostV1" -}}
{{- with .Values.gateway -}}
{{- if and .serveV1 .baseUrlV1 (ne (include "opendsr.hostOf" .baseUrlV1) (include "opendsr.hostOf" .baseUrlV2)) }}true{{ end -}}
{{- end -}}
{{- end }}

{{/* opendsr.text: a scalar as text. Helm reads numbers as floats and would print a million as 1e+06; a share keeps its decimals. Takes any scalar. */}}
{{- define "opendsr.text" -}}
{{- if kindIs "float64" . }}{{ regexReplaceAll "\\.?0+$" (printf "%.10f" .) "" }}{{ else }}{{ toString . }}{{ end -}}
{{- end }}
