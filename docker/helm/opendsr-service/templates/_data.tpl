{{/* The data of the standalone app: databases, log, and what it makes for itself. Nothing of it is there in the form of five services. All take the root. */}}

{{/* opendsr.dataFolder: the only folder that the image's user may write. */}}
{{- define "opendsr.dataFolder" -}}/data{{- end }}

{{- define "opendsr.data.claimName" -}}
{{- .Values.standalone.persistence.existingClaim | default (include "opendsr.componentName" (dict "root" . "component" "data")) -}}
{{- end }}

{{- define "opendsr.data.volume" -}}
{{- if include "opendsr.embedded" . }}
{{- with .Values.standalone.persistence }}
- name: data
  {{- if .enabled }}
  persistentVolumeClaim:
    claimName: {{ include "opendsr.data.claimName" $ }}
  {{- else }}
  emptyDir:
    sizeLimit: {{ .size }}
  {{- end }}
{{- end }}
{{- end }}
{{- end }}

{{- define "opendsr.data.mount" -}}
{{- if include "opendsr.embedded" . }}
- name: data
  mountPath: {{ include "opendsr.dataFolder" . }}
{{- end }}
{{- end }}
