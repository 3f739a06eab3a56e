{{/* opendsr.podTemplate: metadata and spec of the pods of an app. Takes (dict "root" $ "app" <entry of opendsr.services> "service" <merged values>). */}}
{{- define "opendsr.podTemplate" -}}
{{- $root := .root -}}
{{- $app := .app -}}
{{- $service := .service -}}
{{- $scope := dict "root" $root "component" $app.app -}}
{{- $secrets := include "opendsr.secrets" (dict "root" $root "app" $app) | fromJsonArray -}}
{{- $settings := include "opendsr.settings" (dict "root" $root "app" $app "service" $service "secrets" $secrets) | fromJson -}}
{{- range $name, $value := $service.settings }}{{ $_ := set $settings $name (include "opendsr.text" $value) }}{{ end -}}
metadata:
  labels:
    {{- include "opendsr.podLabels" (merge (dict "labels" $service.podLabels) $scope) | nindent 4 }}
  annotations:
    {{- mustMergeOverwrite (dict "kubectl.kubernetes.io/default-container" $app.app) $service.podAnnotations | toYaml | nindent 4 }}
spec:
  {{- include "opendsr.podSecurity" (dict "root" $root "service" $service) | nindent 2 }}
  {{- with include "opendsr.placement" $service | trim }}
  {{- . | nindent 2 }}
  {{- end }}
  {{- if ne $app.app "standalone" }}
  {{- with $service.topologySpreadConstraints }}
  topologySpreadConstraints:
    {{- $spread := list }}
    {{- $own := dict "labelSelector" (dict "matchLabels" (include "opendsr.selectorLabels" $scope | fromYaml)) "matchLabelKeys" (list "pod-template-hash") }}
    {{- range $constraint := . }}
    {{- range $name, $value := $own }}{{ if not (hasKey $constraint $name) }}{{ $_ := set $constraint $name $value }}{{ end }}{{ end }}
    {{- $spread = append $spread $constraint }}
    {{- end }}
    {{- toYaml $spread | nindent 4 }}
  {{- end }}
  {{- end }}
  terminationGracePeriodSeconds: {{ include "opendsr.graceSeconds" $service.stop }}
  containers:
    - name: {{ $app.app }}
      image: {{ include "opendsr.image" $root }}
      imagePullPolicy: {{ $root.Values.image.pullPolicy }}
      args:
        - {{ $app.app }}
      env:
        {{- include "opendsr.env" (dict "settings" $settings "more" $service.extraEnv) | trim | nindent 8 }}
      ports:
        {{- if $app.public }}
        - name: http
          containerPort: {{ include "opendsr.port.http" . }}
        {{- end }}
        {{- if $settings.PORT_V1 }}
        - name: http-v1
          containerPort: {{ include "opendsr.port.http-v1" . }}
        {{- end }}
        {{- if $settings.OPERATOR_PORT }}
        - name: operator
          containerPort: {{ include "opendsr.port.operator" . }}
        {{- end }}
        - name: admin
          containerPort: {{ include "opendsr.port.admin" . }}
      # Longer than a process waits for what it needs: it says itself what is missing.
      startupProbe:
        httpGet:
          path: /readyz
          port: admin
        periodSeconds: 2
        timeoutSeconds: 10
        failureThreshold: {{ div (add (include "opendsr.startupSeconds" $service) 1) 2 }}
      readinessProbe:
        httpGet:
          path: /readyz
          port: admin
        periodSeconds: 5
        timeoutSeconds: 10
        failureThreshold: 3
      livenessProbe:
        httpGet:
          path: /livez
          port: admin
        {{- with $service.probes.liveness }}
        periodSeconds: {{ int64 .periodSeconds }}
        timeoutSeconds: {{ int64 .timeoutSeconds }}
        failureThreshold: {{ int64 .failureThreshold }}
        {{- end }}
      lifecycle:
        preStop:
          sleep:
            seconds: {{ int64 $service.stop.preStopSeconds }}
      resources:
        {{- toYaml $service.resources | nindent 8 }}
      securityContext:
        {{- include "opendsr.containerSecurity" . | nindent 8 }}
      volumeMounts:
        {{- printf "%s%s" (include "opendsr.volumeMounts" $secrets) (include "opendsr.data.mount" $root) | trim | nindent 8 }}
  volumes:
    {{- printf "%s%s" (include "opendsr.volumes" $secrets) (include "opendsr.data.volume" $root) | trim | nindent 4 }}
{{- end }}
