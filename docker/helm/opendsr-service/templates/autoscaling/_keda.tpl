{{/*
opendsr.keda.lags: what is scaled by, JSON, for `fromJson`: by app its consumer group, topics and partitions. Ingestion's other group, which
erases, is left out: its topic has half the partitions, and its work is not what makes ingestion busy.
*/}}
{{- define "opendsr.keda.lags" -}}
{
  "request": {"group": "request", "topics": ["dsr.commands.v1", "dsr.participant-reports.v1"], "partitions": 12},
  "results": {"group": "results", "topics": ["dsr.request-events.v1"], "partitions": 12},
  "ingestion": {"group": "ingestion-data", "topics": ["ingest.profiles.v1", "ingest.events.v1"], "partitions": 24}
}
{{- end }}

{{/* opendsr.keda.authenticated: "true" where KEDA needs something secret to reach Kafka. Takes the root. */}}
{{- define "opendsr.keda.authenticated" -}}
{{- with .Values.kafka }}{{ if or .sasl.mechanism (and .tls.enabled (or .tls.caSecret.name .tls.clientCertSecret.name)) }}true{{ end }}{{ end -}}
{{- end }}

{{/* opendsr.keda.mechanism: how KEDA calls a mechanism of SASL. Takes ours. */}}
{{- define "opendsr.keda.mechanism" -}}
{{- get (dict "plain" "plaintext" "scram-sha-256" "scram_sha256" "scram-sha-512" "scram_sha512") . -}}
{{- end }}
