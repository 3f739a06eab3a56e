{{/*
What is the same in every pod of the chart. Nothing here can be switched off: it is the restricted pod standard, and the service works with it.
*/}}

{{/* opendsr.image: the image of every container. Takes the root. */}}
{{- define "opendsr.image" -}}
{{- $image := .Values.image -}}
{{- with $image.registry }}{{ . }}/{{ end }}{{ $image.repository }}:{{ $image.tag | default .Chart.AppVersion }}{{ with $image.digest }}@{{ . }}{{ end }}
{{- end }}

{{/* opendsr.podSecurity: the part of a pod's spec that is the same for all. Takes (dict "root" $ "service" <merged values>). */}}
{{- define "opendsr.podSecurity" -}}
serviceAccountName: {{ include "opendsr.serviceAccountName" .root }}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  {{- mustMergeOverwrite (mustDeepCopy .service.podSecurityContext) (dict "runAsNonRoot" true "seccompProfile" (dict "type" "RuntimeDefault")) | toYaml | nindent 2 }}
{{- end }}

{{/* opendsr.containerSecurity: the security context of every container. */}}
{{- define "opendsr.containerSecurity" -}}
allowPrivilegeEscalation: false
capabilities:
  drop:
    - ALL
readOnlyRootFilesystem: true
runAsNonRoot: true
{{- end }}

{{/* opendsr.placement: where pods may run. Takes the merged values of a service. */}}
{{- define "opendsr.placement" -}}
{{- with .priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .runtimeClassName }}
runtimeClassName: {{ . }}
{{- end }}
{{- with .nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/*
opendsr.toolPod: the spec of a pod that runs the operator's tool once. Takes (dict "root" $ "service" <merged values> "name" <the container's> "args" <list of
words after dsr> "resources" <of it>), and where it has them "deadlineSeconds", "settings" as opendsr.env takes them, "mounts" and "volumes" as text.
*/}}
{{- define "opendsr.toolPod" -}}
restartPolicy: Never
{{- with .deadlineSeconds }}
# Less than helm waits by default (5 min).
activeDeadlineSeconds: {{ . }}
{{- end }}
{{- include "opendsr.podSecurity" . | nindent 0 }}
{{- with include "opendsr.placement" .service | trim }}
{{- . | nindent 0 }}
{{- end }}
containers:
  - name: {{ .name }}
    image: {{ include "opendsr.image" .root }}
    imagePullPolicy: {{ .root.Values.image.pullPolicy }}
    args:
      - dsr
      {{- toYaml .args | nindent 6 }}
    {{- with .settings }}
    env:
      {{- include "opendsr.env" (dict "settings" .) | trim | nindent 6 }}
    {{- end }}
    resources:
      {{- toYaml .resources | nindent 6 }}
    securityContext:
      {{- include "opendsr.containerSecurity" . | nindent 6 }}
    {{- with .mounts }}
    volumeMounts:
      {{- . | nindent 6 }}
    {{- end }}
{{- with .volumes }}
volumes:
  {{- . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "opendsr.serviceAccountName" -}}
{{- .Values.serviceAccount.name | default (ternary (include "opendsr.fullname" .) "default" .Values.serviceAccount.create) -}}
{{- end }}

{{/* opendsr.podLabels: labels of pods: the selector's and those of the values, without the chart's version, whose change must not restart pods. */}}
{{- define "opendsr.podLabels" -}}
{{- mustMergeOverwrite (dict) .root.Values.commonLabels (.labels | default dict) (dict "app.kubernetes.io/part-of" "opendsr") (include "opendsr.selectorLabels" . | fromYaml) | toYaml -}}
{{- end }}

{{/* opendsr.drainSeconds: the longest that a pod needs to stop: what it has to finish has its time after the delay. Takes `stop` of the merged values. */}}
{{- define "opendsr.drainSeconds" -}}
{{- add (int64 .preStopSeconds) (int64 .delaySeconds) (int64 .timeoutSeconds) -}}
{{- end }}

{{/* opendsr.graceSeconds: how long a pod is given: what it needs and 10 s more, or what the values say. Takes `stop` of the merged values. */}}
{{- define "opendsr.graceSeconds" -}}
{{- if kindIs "invalid" .gracePeriodSeconds }}{{ add (include "opendsr.drainSeconds" .) 10 }}{{ else }}{{ int64 .gracePeriodSeconds }}{{ end -}}
{{- end }}

{{/* opendsr.startupSeconds: how long the start-up probe waits before it kills. Takes the merged values. */}}
{{- define "opendsr.startupSeconds" -}}
{{- add (int64 .startTimeoutSeconds) (int64 .probes.startup.marginSeconds) -}}
{{- end }}
