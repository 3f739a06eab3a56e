{{/* Who may speak to whom. Each template makes rules of a NetworkPolicy; what no rule names is refused. */}}

{{/* opendsr.flow.ports: ports of a rule. Takes (dict "ports" (list 53) "protocols" (list "TCP")). */}}
{{- define "opendsr.flow.ports" -}}
{{- $protocols := .protocols | default (list "TCP") -}}
{{- range $port := .ports }}
{{- range $protocol := $protocols }}
- port: {{ int64 $port }}
  protocol: {{ $protocol }}
{{- end }}
{{- end }}
{{- end }}

{{/* opendsr.flow.to: an egress rule to peers; without peers to everybody, on these ports. Takes (dict "to" [peers] "ports" […] "protocols" […]). */}}
{{- define "opendsr.flow.to" -}}
- ports:
    {{- include "opendsr.flow.ports" . | nindent 4 }}
  {{- with .to }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}

{{/* opendsr.flow.from: the same, inwards. Takes (dict "from" [peers] "ports" […]). */}}
{{- define "opendsr.flow.from" -}}
- ports:
    {{- include "opendsr.flow.ports" . | nindent 4 }}
  {{- with .from }}
  from:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}

{{/* opendsr.flow.app: a peer: the pods of one app. Takes (dict "root" $ "component" "results"). */}}
{{- define "opendsr.flow.app" -}}
podSelector:
  matchLabels:
    {{- include "opendsr.selectorLabels" . | nindent 4 }}
{{- end }}

{{/* opendsr.flow.kafkaPorts: as JSON list. Takes the root. */}}
{{- define "opendsr.flow.kafkaPorts" -}}
{{- $ports := .Values.networkPolicy.kafka.ports -}}
{{- if not $ports }}{{ range .Values.kafka.brokers }}{{ $ports = append $ports (splitList ":" . | last | int64) }}{{ end }}{{ end -}}
{{- $ports | uniq | toJson -}}
{{- end }}

{{/* opendsr.flow.names: to DNS. Takes the root. */}}
{{- define "opendsr.flow.names" -}}
{{- with .Values.networkPolicy.dns }}
{{ include "opendsr.flow.to" (dict "to" .to "ports" .ports "protocols" (list "UDP" "TCP")) }}
{{- end }}
{{- end }}

{{/* opendsr.flow.logAndNames: to DNS, and to Kafka where there is one: every pod needs them. Takes the root. */}}
{{- define "opendsr.flow.logAndNames" -}}
{{ include "opendsr.flow.names" . }}
{{- if not (include "opendsr.embedded" .) }}
{{ include "opendsr.flow.to" (dict "to" .Values.networkPolicy.kafka.to "ports" (include "opendsr.flow.kafkaPorts" . | fromJsonArray)) }}
{{- end }}
{{- end }}

{{/* opendsr.flow.stores: the same, and to MongoDB. Takes the root. */}}
{{- define "opendsr.flow.stores" -}}
{{ include "opendsr.flow.logAndNames" . }}
{{- if not (include "opendsr.embedded" .) }}
{{ include "opendsr.flow.to" (dict "to" .Values.networkPolicy.mongodb.to "ports" .Values.networkPolicy.mongodb.ports) }}
{{- end }}
{{- end }}

{{/* opendsr.flow.portOf: the port of an address. */}}
{{- define "opendsr.flow.portOf" -}}
{{- $url := urlParse . -}}
{{- regexFind "[0-9]+$" (regexFind ":[0-9]+$" $url.host) | default (ternary "80" "443" (eq $url.scheme "http")) -}}
{{- end }}

{{/* opendsr.flow.keyService: to the key service, where there is one; at the port of its address. Takes the root. */}}
{{- define "opendsr.flow.keyService" -}}
{{- if ne .Values.keyService.type "file" -}}
{{- $port := include "opendsr.flow.portOf" .Values.keyService.url -}}
{{- with .Values.networkPolicy.keyService }}
{{ include "opendsr.flow.to" (dict "to" .to "ports" (.ports | default (list (int64 $port)))) }}
{{- end }}
{{- end -}}
{{- end }}

{{/* opendsr.flow.witnesses: to the witnesses of the transparency log, where there are any; at the ports of their addresses. Takes the root. */}}
{{- define "opendsr.flow.witnesses" -}}
{{- $ports := list }}{{ range .Values.transparency.witnesses }}{{ $ports = append $ports (include "opendsr.flow.portOf" .url | int64) }}{{ end -}}
{{- if $ports -}}
{{- with .Values.networkPolicy.witnesses }}
{{ include "opendsr.flow.to" (dict "to" .to "ports" (.ports | default (uniq $ports))) }}
{{- end }}
{{- end -}}
{{- end }}

{{/* opendsr.flow.identityProvider: to the identity provider of operators; at the port of its issuer. Takes the root. */}}
{{- define "opendsr.flow.identityProvider" -}}
{{- $port := include "opendsr.flow.portOf" .Values.operatorApi.oidc.issuer -}}
{{- with .Values.networkPolicy.identityProvider }}
{{ include "opendsr.flow.to" (dict "to" .to "ports" (.ports | default (list (int64 $port)))) }}
{{- end }}
{{- end }}

{{/* opendsr.flow.internet: where callbacks go: everywhere but the ranges that are excepted, each family by itself, and what the operator allows. Takes the root. */}}
{{- define "opendsr.flow.internet" -}}
{{- $values := .Values -}}
{{- $egress := $values.networkPolicy.callbackEgress -}}
{{- $ports := $egress.ports | default $values.callbackDispatcher.ports -}}
{{- $four := list }}{{ $six := list }}
{{- range $egress.except }}{{ if contains ":" . }}{{ $six = append $six . }}{{ else }}{{ $four = append $four . }}{{ end }}{{ end -}}
{{- $open := list -}}
{{- range $cidr, $except := dict "0.0.0.0/0" $four "::/0" $six }}{{ $open = append $open (dict "ipBlock" (merge (dict "cidr" $cidr) (ternary (dict "except" $except) dict (gt (len $except) 0)))) }}{{ end -}}
{{- range $values.callbackDispatcher.allowCidrs -}}
{{- $cidr := contains "/" . | ternary . (printf "%s/%s" . (contains ":" . | ternary "128" "32")) -}}
{{- $open = append $open (dict "ipBlock" (dict "cidr" $cidr)) -}}
{{- end -}}
{{ include "opendsr.flow.to" (dict "to" $open "ports" $ports) }}
{{- with $egress.rules }}
{{ toYaml . }}
{{- end }}
{{- end }}
