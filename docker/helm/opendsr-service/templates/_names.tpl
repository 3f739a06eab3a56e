{{/*
What the objects of a release are called, and their labels. `root` is the chart's top-level context ($).
*/}}

{{/* opendsr.name: the chart's name. Takes the root. */}}
{{- define "opendsr.name" -}}
{{- .Values.nameOverride | default .Chart.Name | trunc 40 | trimSuffix "-" -}}
{{- end }}

{{/*
opendsr.fullname: the prefix of every object's name. Takes the root. At most 40 characters: names of services, and the labels that
Kubernetes makes of a Job's name, have 63.
*/}}
{{- define "opendsr.fullname" -}}
{{- $name := include "opendsr.name" . -}}
{{- $full := ternary .Release.Name (printf "%s-%s" .Release.Name $name) (contains $name .Release.Name) -}}
{{- if .Values.fullnameOverride }}{{ $full = .Values.fullnameOverride }}{{ end -}}
{{- /* What is cut off may be all in which two releases differ. */ -}}
{{- ternary $full (printf "%s-%s" (trunc 32 $full | trimSuffix "-") (sha256sum $full | trunc 7)) (le (len $full) 40) | trimSuffix "-" -}}
{{- end }}

{{/* opendsr.componentName: the name of an object of one app. Takes (dict "root" $ "component" "gateway"). */}}
{{- define "opendsr.componentName" -}}
{{- printf "%s-%s" (include "opendsr.fullname" .root) .component -}}
{{- end }}

{{/* opendsr.selectorLabels: what selects the pods of an app, and never changes. Takes (dict "root" $ "component" "gateway"); without a component, all pods of the release. */}}
{{- define "opendsr.selectorLabels" -}}
app.kubernetes.io/name: {{ include "opendsr.name" .root }}
app.kubernetes.io/instance: {{ .root.Release.Name | quote }}
{{- with .component }}
app.kubernetes.io/component: {{ . }}
{{- end }}
{{- end }}

{{/* opendsr.monitored: the label by which the ServiceMonitor finds the Services of this release. Argo CD may write another app.kubernetes.io/instance on objects. Takes the root. */}}
{{- define "opendsr.monitored" -}}
opendsr/release: {{ include "opendsr.fullname" . }}
{{- end }}

{{/* opendsr.labels: the labels of an object. Takes (dict "root" $ "component" "gateway" "labels" <more>); component and labels may be left out. */}}
{{- define "opendsr.labels" -}}
{{- $own := dict
      "helm.sh/chart" (printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-")
      "app.kubernetes.io/version" (.root.Chart.AppVersion | replace "+" "_")
      "app.kubernetes.io/part-of" "opendsr"
      "app.kubernetes.io/managed-by" .root.Release.Service -}}
{{- $selector := include "opendsr.selectorLabels" . | fromYaml -}}
{{- mustMergeOverwrite (dict) .root.Values.commonLabels (.labels | default dict) $own $selector | toYaml -}}
{{- end }}

{{/*
opendsr.metadata: the metadata of an object: name, namespace, labels and annotations.
Takes (dict "root" $ "name" "…" "component" "gateway" "labels" <more> "annotations" <more>); all but root and name may be left out. `generateName` in place
of the name is for what `kubectl create` makes.
*/}}
{{- define "opendsr.metadata" -}}
{{ if .generateName }}generateName: {{ .generateName }}{{ else }}name: {{ .name }}{{ end }}
namespace: {{ .root.Release.Namespace }}
labels:
  {{- include "opendsr.labels" . | nindent 2 }}
{{- with mustMergeOverwrite (dict) .root.Values.commonAnnotations (.annotations | default dict) }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
