{{/*
opendsr.secrets: the Secrets that an app reads, JSON list for `fromJsonArray`: the folder's name under /run/secrets/opendsr, the Secret's name,
and its keys by the name of the file. Each is mounted as a folder, never by subPath: so a changed Secret reaches a running pod. Where none is named,
the standalone app of a trial makes its own.
Takes (dict "root" $ "app" <entry of opendsr.services>); app without a key is the topics Job, opendsr.operator the operator's.
*/}}
{{- define "opendsr.secrets" -}}
{{- $values := .root.Values -}}
{{- $found := list -}}
{{- $embedded := include "opendsr.embedded" .root -}}
{{- if not $embedded -}}
{{- with $values.kafka -}}
{{- if .tls.caSecret.name }}{{ $found = append $found (dict "folder" "kafka-ca" "secret" .tls.caSecret.name "files" (dict "ca.crt" .tls.caSecret.key)) }}{{ end -}}
{{- if .tls.clientCertSecret.name }}{{ $found = append $found (dict "folder" "kafka-client" "secret" .tls.clientCertSecret.name "files" (dict "tls.crt" "tls.crt" "tls.key" "tls.key")) }}{{ end -}}
{{- if .sasl.mechanism }}{{ $found = append $found (dict "folder" "kafka" "secret" .sasl.passwordSecret.name "files" (dict "password" .sasl.passwordSecret.key)) }}{{ end -}}
{{- end -}}
{{- end -}}
{{- if .app.key -}}
{{- if not $embedded -}}
{{- with $values.mongodb -}}
{{- $found = append $found (dict "folder" "mongodb" "secret" .uriSecret.name "files" (dict "uri" .uriSecret.key)) -}}
{{- if .tls.caSecret.name }}{{ $found = append $found (dict "folder" "mongodb-ca" "secret" .tls.caSecret.name "files" (dict "ca.crt" .tls.caSecret.key)) }}{{ end -}}
{{- if .tls.clientCertSecret.name }}{{ $found = append $found (dict "folder" "mongodb-client" "secret" .tls.clientCertSecret.name "files" (dict "tls.pem" .tls.clientCertSecret.key)) }}{{ end -}}
{{- end -}}
{{- end -}}
{{- with $values.secrets.masterKey }}{{ if .name }}{{ $found = append $found (dict "folder" "master-key" "secret" .name "files" (dict "key" .key)) }}{{ end }}{{ end -}}
{{- with $values.keyService }}{{ if ne .type "file" -}}
{{- if .tokenSecret.name }}{{ $found = append $found (dict "folder" "key-service" "secret" .tokenSecret.name "files" (dict "token" .tokenSecret.key)) }}{{ end -}}
{{- if .credentialsSecret.name }}{{ $found = append $found (dict "folder" "key-service-credentials" "secret" .credentialsSecret.name "files" (dict "credentials" .credentialsSecret.key)) }}{{ end -}}
{{- if .caSecret.name }}{{ $found = append $found (dict "folder" "key-service-ca" "secret" .caSecret.name "files" (dict "ca.crt" .caSecret.key)) }}{{ end -}}
{{- end }}{{ end -}}
{{- with $values.traces -}}
{{- if .caSecret.name }}{{ $found = append $found (dict "folder" "traces-ca" "secret" .caSecret.name "files" (dict "ca.crt" .caSecret.key)) }}{{ end -}}
{{- if .clientCertSecret.name }}{{ $found = append $found (dict "folder" "traces-client" "secret" .clientCertSecret.name "files" (dict "tls.crt" "tls.crt" "tls.key" "tls.key")) }}{{ end -}}
{{- end -}}
{{- end -}}
{{- if eq (.app.app | default "") "operator" -}}
{{- with $values.operatorJob.trustSecret }}{{- if .name }}{{ $found = append $found (dict "folder" "trust" "secret" .name "files" (dict "ca.crt" .key)) }}{{ end -}}{{- end -}}
{{- end -}}
{{- if .app.token }}{{ $found = append $found (dict "folder" "internal-token" "secret" $values.secrets.internalToken.name "files" (dict "token" $values.secrets.internalToken.key)) }}{{ end -}}
{{- if .app.log -}}
{{- with $values.secrets.transparencyKey }}{{ if .name }}{{ $found = append $found (dict "folder" "transparency-key" "secret" .name "files" (dict "key" .key)) }}{{ end }}{{ end -}}
{{- end -}}
{{- if .app.signs -}}
{{- range $version := ternary (list "v2" "v1") (list "v2") $values.gateway.serveV1 -}}
{{- with index $values.signing $version }}{{ if .secretName }}{{ $found = append $found (dict "folder" (printf "signing-%s" $version) "secret" .secretName "files" (dict "tls.key" .keyFile "tls.crt" .chainFile)) }}{{ end }}{{ end -}}
{{- end -}}
{{- end -}}
{{- if has (.app.key | default "") (list "callbackDispatcher" "standalone") -}}
{{- with $values.callbackDispatcher -}}
{{- if .caSecret.name }}{{ $found = append $found (dict "folder" "callback-ca" "secret" .caSecret.name "files" (dict "ca.crt" .caSecret.key)) }}{{ end -}}
{{- if .clientCertSecret.name }}{{ $found = append $found (dict "folder" "callback-clients" "secret" .clientCertSecret.name "files" dict) }}{{ end -}}
{{- end -}}
{{- end -}}
{{- if or (has (.app.key | default "") (list "gateway" "standalone")) (eq (.app.app | default "") "operator") -}}
{{- with $values.operatorApi -}}
{{- if and .enabled .oidc.clientSecret.name }}{{ $found = append $found (dict "folder" "operator-client" "secret" .oidc.clientSecret.name "files" (dict "secret" .oidc.clientSecret.key)) }}{{ end -}}
{{- if and .enabled .oidc.caSecret.name }}{{ $found = append $found (dict "folder" "operator-ca" "secret" .oidc.caSecret.name "files" (dict "ca.crt" .oidc.caSecret.key)) }}{{ end -}}
{{- end -}}
{{- end -}}
{{- $found | toJson -}}
{{- end }}

{{/* opendsr.volumes: the volumes of a pod. Takes the list of opendsr.secrets. Mode 288 (0440): the files belong to root and to the pod's fsGroup, and only these may read them. */}}
{{- define "opendsr.volumes" -}}
{{- range . }}
- name: {{ .folder }}
  secret:
    secretName: {{ .secret }}
    defaultMode: 288
    {{- with .files }}
    items:
      {{- range $path, $key := . }}
      - key: {{ $key }}
        path: {{ $path }}
      {{- end }}
    {{- end }}
{{- end }}
{{- end }}

{{- define "opendsr.volumeMounts" -}}
{{- range . }}
- name: {{ .folder }}
  mountPath: /run/secrets/opendsr/{{ .folder }}
  readOnly: true
{{- end }}
{{- end }}

{{/* opendsr.secretFiles: the settings that name those files, JSON, for `fromJson`. Takes the list of opendsr.secrets. */}}
{{- define "opendsr.secretFiles" -}}
{{- $names := dict
      "kafka-ca" (dict "KAFKA_CA_FILE" "/ca.crt")
      "kafka-client" (dict "KAFKA_CLIENT_CERT_FILE" "/tls.crt" "KAFKA_CLIENT_KEY_FILE" "/tls.key")
      "kafka" (dict "KAFKA_SASL_PASSWORD_FILE" "/password")
      "mongodb" (dict "MONGODB_URI_FILE" "/uri")
      "mongodb-ca" (dict "MONGODB_CA_FILE" "/ca.crt")
      "mongodb-client" (dict "MONGODB_CLIENT_CERT_FILE" "/tls.pem")
      "master-key" (dict "MASTER_KEY_FILE" "/key")
      "transparency-key" (dict "TRANSPARENCY_KEY_FILE" "/key")
      "key-service" (dict "KEY_SERVICE_TOKEN_FILE" "/token")
      "key-service-credentials" (dict "KEY_SERVICE_CREDENTIALS_FILE" "/credentials")
      "key-service-ca" (dict "KEY_SERVICE_CA_FILE" "/ca.crt")
      "traces-ca" (dict "OTEL_EXPORTER_OTLP_CERTIFICATE" "/ca.crt")
      "traces-client" (dict "OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE" "/tls.crt" "OTEL_EXPORTER_OTLP_CLIENT_KEY" "/tls.key")
      "internal-token" (dict "INTERNAL_TOKEN_FILE" "/token")
      "signing-v2" (dict "SIGNING_KEY_FILE_V2" "/tls.key" "SIGNING_CHAIN_FILE_V2" "/tls.crt")
      "signing-v1" (dict "SIGNING_KEY_FILE_V1" "/tls.key" "SIGNING_CHAIN_FILE_V1" "/tls.crt")
      "callback-ca" (dict "CALLBACK_CA_FILE" "/ca.crt")
      "callback-clients" (dict "CALLBACK_CLIENT_CERT_DIR" "")
      "operator-client" (dict "OPERATOR_OIDC_CLIENT_SECRET_FILE" "/secret")
      "operator-ca" (dict "OPERATOR_OIDC_CA_FILE" "/ca.crt")
      "trust" dict -}}
{{- $settings := dict -}}
{{- range $secret := . -}}
{{- range $name, $file := index $names $secret.folder -}}
{{- $_ := set $settings $name (printf "/run/secrets/opendsr/%s%s" $secret.folder $file) -}}
{{- end -}}
{{- end -}}
{{- $settings | toJson -}}
{{- end }}
