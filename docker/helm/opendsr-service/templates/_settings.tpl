{{/*
The environment of an app: only names that it reads. Everything is text, in the order of the names, so that the same values make the same pods.
*/}}

{{/* opendsr.settings.kafka: how Kafka is reached, JSON. Takes the root. */}}
{{- define "opendsr.settings.kafka" -}}
{{- $settings := dict -}}
{{- with .Values.kafka -}}
{{- $_ := set $settings "KAFKA_BROKERS" (join "," .brokers) -}}
{{- if .topicPrefix }}{{ $_ := set $settings "KAFKA_TOPIC_PREFIX" .topicPrefix }}{{ end -}}
{{- $_ := set $settings "TOPIC_REPLICATION" (include "opendsr.text" .replication) -}}
{{- $_ := set $settings "TOPIC_MIN_ISR" (include "opendsr.text" .minIsr) -}}
{{- if .tls.enabled }}{{ $_ := set $settings "KAFKA_TLS" "true" }}{{ end -}}
{{- with .sasl.mechanism }}{{ $_ := set $settings "KAFKA_SASL_MECHANISM" . }}{{ $_ := set $settings "KAFKA_SASL_USERNAME" $.Values.kafka.sasl.username }}{{ end -}}
{{- end -}}
{{- $settings | toJson -}}
{{- end }}

{{/* opendsr.settings.stores: where data is kept, JSON. Takes the root. */}}
{{- define "opendsr.settings.stores" -}}
{{- if include "opendsr.embedded" . -}}
{{- dict "DATA_DIR" (include "opendsr.dataFolder" .) | toJson -}}
{{- else -}}
{{- mustMergeOverwrite (include "opendsr.settings.kafka" . | fromJson) (dict "MONGODB_DATABASE_PREFIX" .Values.mongodb.databasePrefix) | toJson -}}
{{- end -}}
{{- end }}

{{/* opendsr.settings.process: how a process listens, starts and stops, JSON. Takes the merged values of a service. */}}
{{- define "opendsr.settings.process" -}}
{{- dict
      "HOST" .host
      "ADMIN_PORT" (include "opendsr.port.admin" .)
      "TIMING_PROFILE" .timingProfile
      "LOG_LEVEL" .logLevel
      "START_TIMEOUT_MS" (toString (mul (int64 .startTimeoutSeconds) 1000))
      "STOP_DELAY_MS" (toString (mul (int64 .stop.delaySeconds) 1000))
      "STOP_TIMEOUT_MS" (toString (mul (int64 .stop.timeoutSeconds) 1000))
    | toJson -}}
{{- end }}

{{/* opendsr.settings.keyService: what opens the master key, JSON. Takes the root. */}}
{{- define "opendsr.settings.keyService" -}}
{{- $settings := dict -}}
{{- with .Values.keyService }}{{ if ne .type "file" -}}
{{- $settings = dict "KEY_SERVICE" .type "KEY_SERVICE_KEY" .key -}}
{{- if .url }}{{ $_ := set $settings "KEY_SERVICE_URL" .url }}{{ end -}}
{{- if eq .type "transit" }}{{ $_ := set $settings "KEY_SERVICE_MOUNT" .mount }}{{ else }}{{ $_ := set $settings "KEY_SERVICE_REGION" .region }}{{ end -}}
{{- end }}{{ end -}}
{{- $settings | toJson -}}
{{- end }}

{{/* opendsr.settings.signing: which versions are signed for and where they are found, JSON. Takes the root. */}}
{{- define "opendsr.settings.signing" -}}
{{- $values := .Values -}}
{{- $settings := dict
      "SERVE_V1" (toString $values.gateway.serveV1)
      "PUBLIC_URL_V2" $values.gateway.baseUrlV2 -}}
{{- with $values.signing.processorDomainV2 }}{{ $_ := set $settings "PROCESSOR_DOMAIN_V2" . }}{{ end -}}
{{- with $values.signing.v2.certificateUrl }}{{ $_ := set $settings "CERT_URL_V2" . }}{{ end -}}
{{- if $values.gateway.serveV1 -}}
{{- $_ := set $settings "PUBLIC_URL_V1" $values.gateway.baseUrlV1 -}}
{{- with $values.signing.processorDomainV1 }}{{ $_ := set $settings "PROCESSOR_DOMAIN_V1" . }}{{ end -}}
{{- with $values.signing.v1.certificateUrl }}{{ $_ := set $settings "CERT_URL_V1" . }}{{ end -}}
{{- end -}}
{{- $settings | toJson -}}
{{- end }}

{{/* opendsr.settings.egress: where callbacks may go, alike for the gateway that takes their addresses and the dispatcher that sends them, JSON. Takes the root. */}}
{{- define "opendsr.settings.egress" -}}
{{- $settings := dict -}}
{{- with .Values.callbackDispatcher -}}
{{- with .allowHosts }}{{ $_ := set $settings "CALLBACK_ALLOW_HOSTS" (join "," .) }}{{ end -}}
{{- with .allowCidrs }}{{ $_ := set $settings "CALLBACK_ALLOW_CIDRS" (join "," .) }}{{ end -}}
{{- $ports := list }}{{ range .ports }}{{ $ports = append $ports (include "opendsr.text" .) }}{{ end -}}
{{- $_ := set $settings "CALLBACK_ALLOW_PORTS" (join "," $ports) -}}
{{- end -}}
{{- $settings | toJson -}}
{{- end }}

{{/* opendsr.settings.witnesses: who cosigns the transparency log, JSON. Takes the root. */}}
{{- define "opendsr.settings.witnesses" -}}
{{- $witnesses := list }}{{ range .Values.transparency.witnesses }}{{ $witnesses = append $witnesses (printf "%s %s" .key .url) }}{{ end -}}
{{- ternary (dict "TRANSPARENCY_WITNESSES" (join "," $witnesses)) dict (gt (len $witnesses) 0) | toJson -}}
{{- end }}

{{/* opendsr.settings.operatorApi: who may use the operator's API, and where it is, JSON. Takes the root. */}}
{{- define "opendsr.settings.operatorApi" -}}
{{- $settings := dict -}}
{{- with .Values.operatorApi -}}
{{- if .enabled -}}
{{- $settings = dict
      "OPERATOR_PORT" (include "opendsr.port.operator" $)
      "OPERATOR_URL" .url
      "OPERATOR_OIDC_ISSUER" .oidc.issuer
      "OPERATOR_OIDC_CLIENT_ID" .oidc.clientId
      "OPERATOR_OIDC_AUDIENCE" .oidc.audience
      "OPERATOR_OIDC_ROLE_CLAIM" .oidc.roleClaim
      "OPERATOR_ROLES" (join "," .roles) -}}
{{- with .oidc.scopes }}{{ $_ := set $settings "OPERATOR_OIDC_SCOPES" (join "," .) }}{{ end -}}
{{- end -}}
{{- end -}}
{{- $settings | toJson -}}
{{- end }}

{{/* opendsr.settings: all that the chart sets for an app, JSON, for `fromJson`. Takes (dict "root" $ "app" <entry> "service" <merged values> "secrets" <list>). */}}
{{- define "opendsr.settings" -}}
{{- $settings := include "opendsr.settings.stores" .root | fromJson -}}
{{- range list (include "opendsr.settings.process" .service) (include "opendsr.settings.keyService" .root) (include "opendsr.secretFiles" .secrets) -}}
{{- $settings = mustMergeOverwrite $settings (fromJson .) -}}
{{- end -}}
{{- with .service.trustedProxies }}{{ $_ := set $settings "TRUSTED_PROXIES" (join "," .) }}{{ end -}}
{{- if .app.public }}{{ $_ := set $settings "PORT" (include "opendsr.port.http" .) }}{{ end -}}
{{- if .app.signs -}}
{{- $settings = mustMergeOverwrite $settings (include "opendsr.settings.signing" .root | fromJson) (include "opendsr.settings.egress" .root | fromJson) -}}
{{- end -}}
{{- $admin := include "opendsr.port.admin" . -}}
{{- if eq .app.app "gateway" }}{{ $_ := set $settings "RESULTS_URL" (printf "http://%s:%s" (include "opendsr.componentName" (dict "root" .root "component" "results")) $admin) }}{{ end -}}
{{- if has .app.app (list "gateway" "standalone") }}{{ $settings = mustMergeOverwrite $settings (include "opendsr.settings.witnesses" .root | fromJson) }}{{ end -}}
{{- if and (has .app.app (list "gateway" "standalone")) (include "opendsr.ownHostV1" .root) }}{{ $_ := set $settings "PORT_V1" (include "opendsr.port.http-v1" .) }}{{ end -}}
{{- if has .app.app (list "gateway" "standalone") }}{{ $settings = mustMergeOverwrite $settings (include "opendsr.settings.operatorApi" .root | fromJson) }}{{ end -}}
{{- if and (eq .app.app "gateway") .root.Values.operatorApi.enabled -}}
{{- $root := .root -}}
{{- $upstreams := list -}}
{{- range $name := list "request" "callback-dispatcher" "results" "ingestion" -}}
{{- $upstreams = append $upstreams (printf "%s=http://%s:%s" $name (include "opendsr.componentName" (dict "root" $root "component" $name)) $admin) -}}
{{- end -}}
{{- $_ := set $settings "OPERATOR_UPSTREAMS" (join "," $upstreams) -}}
{{- end -}}
{{- if eq .app.app "results" }}{{ $_ := set $settings "INGESTION_URL" (printf "http://%s:%s" (include "opendsr.componentName" (dict "root" .root "component" "ingestion")) $admin) }}{{ end -}}
{{- $settings | toJson -}}
{{- end }}

{{/* opendsr.settings.all: what the apps are given, JSON, for the operator's tool; where two are given different values, the gateway's, as of REQUEST_KEY_KEEP_MS. Takes the root. */}}
{{- define "opendsr.settings.all" -}}
{{- $root := . -}}
{{- $settings := dict -}}
{{- range $app := include "opendsr.services" . | fromJsonArray -}}
{{- $service := include "opendsr.service" (dict "root" $root "key" $app.key) | fromJson -}}
{{- $secrets := include "opendsr.secrets" (dict "root" $root "app" $app) | fromJsonArray -}}
{{- $own := include "opendsr.settings" (dict "root" $root "app" $app "service" $service "secrets" $secrets) | fromJson -}}
{{- range $name, $value := $service.settings }}{{ $_ := set $own $name (include "opendsr.text" $value) }}{{ end -}}
{{- $settings = merge $settings $own -}}
{{- end -}}
{{- $settings | toJson -}}
{{- end }}

{{/* opendsr.env: settings as the environment of a container, then further variables. Takes (dict "settings" <dict> "more" <list>). */}}
{{- define "opendsr.env" -}}
{{- range $name, $value := .settings }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- with .more }}
{{ toYaml . }}
{{- end }}
{{- end }}
