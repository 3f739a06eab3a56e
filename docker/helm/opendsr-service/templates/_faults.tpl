{{/* The faults of the values that a schema cannot see, each a JSON list of sentences that begin with the name of the value. All take the root. */}}

{{/* opendsr.makesOwn: "true" where the standalone app of a trial makes its keys and certificates in its data folder. Takes the root. */}}
{{- define "opendsr.makesOwn" -}}
{{- if and (include "opendsr.embedded" .) (eq .Values.defaults.timingProfile "sandbox") }}true{{ end -}}
{{- end }}

{{- define "opendsr.faults.required" -}}
{{- $faults := list -}}
{{- $v := .Values -}}
{{- $embedded := include "opendsr.embedded" . -}}
{{- $makesOwn := include "opendsr.makesOwn" . -}}
{{- if not $embedded -}}
{{- if not $v.kafka.brokers }}{{ $faults = append $faults "kafka.brokers: name at least one broker as host:port; the chart brings no Kafka." }}{{ end -}}
{{- if not $v.mongodb.uriSecret.name }}{{ $faults = append $faults "mongodb.uriSecret.name: name the Secret that holds the connection string; the chart brings no MongoDB." }}{{ end -}}
{{- if not $v.secrets.internalToken.name }}{{ $faults = append $faults "secrets.internalToken.name: name the Secret that holds the token of the services; the chart makes none." }}{{ end -}}
{{- end -}}
{{- if not $v.gateway.baseUrlV2 }}{{ $faults = append $faults "gateway.baseUrlV2: say under which public address version 2 is reached." }}{{ end -}}
{{- if not $makesOwn -}}
{{- if not $v.signing.processorDomainV2 }}{{ $faults = append $faults "signing.processorDomainV2: say for which domain answers of version 2 are signed." }}{{ end -}}
{{- if not $v.signing.v2.secretName }}{{ $faults = append $faults "signing.v2.secretName: name the Secret with key and certificate of version 2." }}{{ end -}}
{{- if not $v.secrets.masterKey.name }}{{ $faults = append $faults "secrets.masterKey.name: name the Secret that holds the master key; the chart makes none." }}{{ end -}}
{{- if not $v.secrets.transparencyKey.name }}{{ $faults = append $faults "secrets.transparencyKey.name: name the Secret that holds the key of the transparency log; the chart makes none." }}{{ end -}}
{{- end -}}
{{- if $v.gateway.serveV1 -}}
{{- $without := "or set gateway.serveV1 to false." -}}
{{- if not $v.gateway.baseUrlV1 }}{{ $faults = append $faults (printf "gateway.baseUrlV1: say under which public address version 1 is reached, %s" $without) }}{{ end -}}
{{- if not $makesOwn -}}
{{- if not $v.signing.processorDomainV1 }}{{ $faults = append $faults (printf "signing.processorDomainV1: say for which domain answers of version 1 are signed, %s" $without) }}{{ end -}}
{{- if not $v.signing.v1.secretName }}{{ $faults = append $faults (printf "signing.v1.secretName: name the Secret with key and certificate of version 1, %s" $without) }}{{ end -}}
{{- end -}}
{{- end -}}
{{- $faults | toJson -}}
{{- end }}

{{/* What the standalone app does not have: stores of others, and pods beside its one. A value of one of the five that it would not read is refused. */}}
{{- define "opendsr.faults.standalone" -}}
{{- $faults := list -}}
{{- $v := .Values -}}
{{- with $v.standalone -}}
{{- if .enabled -}}
{{- $here := "where standalone.enabled is true" -}}
{{- if $v.kafka.brokers }}{{ $faults = append $faults (printf "kafka.brokers: must be empty %s, for its log is in its data folder." $here) }}{{ end -}}
{{- if $v.mongodb.uriSecret.name }}{{ $faults = append $faults (printf "mongodb.uriSecret.name: must be empty %s, for its databases are in its data folder." $here) }}{{ end -}}
{{- if $v.secrets.internalToken.name }}{{ $faults = append $faults (printf "secrets.internalToken.name: must be empty %s, for one process makes no calls to others." $here) }}{{ end -}}
{{- if $v.topicsJob.enabled }}{{ $faults = append $faults (printf "topicsJob.enabled: must be false %s, which makes its topics itself." $here) }}{{ end -}}
{{- $read := dict "gateway" (list "baseUrlV2" "baseUrlV1" "serveV1") "callbackDispatcher" (list "allowHosts" "allowCidrs" "ports" "caSecret" "clientCertSecret") -}}
{{- $sizes := list "resources" "rollingUpdate" "autoscaling" -}}
{{- range $key := list "gateway" "request" "callbackDispatcher" "results" "ingestion" -}}
{{- range $name, $value := index $v $key -}}
{{- $isDefault := and (eq $name "settings") (not $value) -}}
{{- if not (or $isDefault (has $name $sizes) (has $name (index $read $key | default list))) }}{{ $faults = append $faults (printf "%s.%s: is not read %s; say it in standalone or in defaults." $key $name $here) }}{{ end -}}
{{- end -}}
{{- if and (ne $key "gateway") (ne (index $v $key).autoscaling.mode "none") }}{{ $faults = append $faults (printf "%s.autoscaling.mode: must be none %s, for only one process can open its data folder." $key $here) }}{{ end -}}
{{- end -}}
{{- if and (not .persistence.enabled) (eq $v.defaults.timingProfile "production") }}{{ $faults = append $faults "standalone.persistence.enabled: must be true where defaults.timingProfile is production, or all that it has answered goes with the pod." }}{{ end -}}
{{- if and (not .persistence.enabled) $v.operatorJob.enabled }}{{ $faults = append $faults "operatorJob.enabled: must be false where standalone.persistence.enabled is, for only the pod itself sees its data: run dsr by kubectl exec." }}{{ end -}}
{{- if and .persistence.existingClaim (or .persistence.volumeName (not (kindIs "invalid" .persistence.storageClassName))) }}{{ $faults = append $faults "standalone.persistence.existingClaim: must be empty where volumeName or storageClassName is set, which are for a claim that the chart makes." }}{{ end -}}
{{- end -}}
{{- end -}}
{{- $faults | toJson -}}
{{- end }}

{{- define "opendsr.faults.stores" -}}
{{- $faults := list -}}
{{- with .Values.kafka -}}
{{- if gt (int64 .minIsr) (int64 .replication) }}{{ $faults = append $faults "kafka.minIsr: must not be more than kafka.replication, or nothing could be written." }}{{ end -}}
{{- if and (not .tls.enabled) (or .tls.caSecret.name .tls.clientCertSecret.name) }}{{ $faults = append $faults "kafka.tls.enabled: must be true where kafka.tls names a Secret." }}{{ end -}}
{{- if .sasl.mechanism -}}
{{- if not .sasl.username }}{{ $faults = append $faults "kafka.sasl.username: must be set where kafka.sasl.mechanism is." }}{{ end -}}
{{- if not .sasl.passwordSecret.name }}{{ $faults = append $faults "kafka.sasl.passwordSecret.name: name the Secret that holds the password, because kafka.sasl.mechanism is set." }}{{ end -}}
{{- if and (eq .sasl.mechanism "plain") (not .tls.enabled) }}{{ $faults = append $faults "kafka.sasl.mechanism: plain sends the password as it is, so kafka.tls.enabled must be true." }}{{ end -}}
{{- else if or .sasl.username .sasl.passwordSecret.name }}{{ $faults = append $faults "kafka.sasl.mechanism: must be set where kafka.sasl names a user or a Secret." }}
{{- end -}}
{{- end -}}
{{- $faults | toJson -}}
{{- end }}

{{/* Hosts: each leads to one place, and versions that have a port each have a host each. */}}
{{- define "opendsr.faults.hosts" -}}
{{- $faults := list -}}
{{- $root := . -}}
{{- range $name := list "ingress" "gatewayApi" -}}
{{- $entrance := index $root.Values $name -}}
{{- if and $entrance.enabled $root.Values.gateway.baseUrlV2 -}}
{{- range $url := list "baseUrlV2" "baseUrlV1" -}}
{{- if not (has (urlParse (index $root.Values.gateway $url)).path (list "" "/")) }}{{ $faults = append $faults (printf "gateway.%s: must have no path where %s.enabled is true, for its whole host leads to the service." $url $name) }}{{ end -}}
{{- end -}}
{{- $routes := include "opendsr.routes" (dict "root" $root "hosts" $entrance.hosts) | fromJsonArray -}}
{{- $hosts := list }}{{ range $routes }}{{ $hosts = append $hosts .host }}{{ end -}}
{{- if ne (len $hosts) (len (uniq $hosts)) }}{{ $faults = append $faults (printf "%s.hosts: each must lead to one place, so no two may be the same." $name) }}{{ end -}}
{{- $own := eq "true" (include "opendsr.ownHostV1" $root) -}}
{{- $routed := false }}{{ range $routes }}{{ if eq .name "v1" }}{{ $routed = true }}{{ end }}{{ end -}}
{{- $reached := ternary (list "gateway" "ingestion") (list "gateway") (ne "" $entrance.hosts.ingestion) -}}
{{- range $key := ternary (list "standalone") $reached (eq "true" (include "opendsr.embedded" $root)) -}}
{{- $service := include "opendsr.service" (dict "root" $root "key" $key) | fromJson -}}
{{- if kindIs "invalid" $service.trustedProxies }}{{ $faults = append $faults (printf "%s.trustedProxies: name the addresses of what %s brings callers through, or they all count as one for the limits; an empty list says that they may." $key $name) }}{{ end -}}
{{- end -}}
{{- if and $own (not $routed) }}{{ $faults = append $faults (printf "%s.hosts.v1: must differ from v2, because gateway.baseUrlV1 and baseUrlV2 name different hosts." $name) }}{{ end -}}
{{- end -}}
{{- end -}}
{{- if and .Values.gatewayApi.enabled (not .Values.gatewayApi.parentRefs) }}{{ $faults = append $faults "gatewayApi.parentRefs: name the Gateway that the routes attach to." }}{{ end -}}
{{- $faults | toJson -}}
{{- end }}

{{/* A standalone app that makes its own master key cannot have it sealed by a key service. */}}
{{- define "opendsr.faults.keyService" -}}
{{- $faults := list -}}
{{- $makesOwn := include "opendsr.makesOwn" . -}}
{{- with .Values.keyService -}}
{{- if eq .type "file" -}}
{{- if or .url .region .tokenSecret.name .credentialsSecret.name .caSecret.name }}{{ $faults = append $faults "keyService.type: must not be file where keyService names an address, a region or a Secret." }}{{ end -}}
{{- else -}}
{{- if eq .type "transit" -}}
{{- if not .url }}{{ $faults = append $faults "keyService.url: say where the key service is, because keyService.type is transit." }}{{ end -}}
{{- if not .tokenSecret.name }}{{ $faults = append $faults "keyService.tokenSecret.name: name the Secret that holds the token, because keyService.type is transit." }}{{ end -}}
{{- if or .region .credentialsSecret.name }}{{ $faults = append $faults "keyService.type: must be aws-kms where keyService names a region or credentials." }}{{ end -}}
{{- else -}}
{{- if not .region }}{{ $faults = append $faults "keyService.region: name the region of the keys, because keyService.type is aws-kms." }}{{ end -}}
{{- if .tokenSecret.name }}{{ $faults = append $faults "keyService.type: must be transit where keyService names a token." }}{{ end -}}
{{- end -}}
{{- if and $makesOwn (not $.Values.secrets.masterKey.name) }}{{ $faults = append $faults (printf "secrets.masterKey.name: name the Secret that holds the master key as the key service has sealed it, because keyService.type is %s." .type) }}{{ end -}}
{{- end -}}
{{- end -}}
{{- $faults | toJson -}}
{{- end }}

{{/* What lets operators in: all of it, or nothing. */}}
{{- define "opendsr.faults.operatorApi" -}}
{{- $faults := list -}}
{{- with .Values.operatorApi -}}
{{- if .enabled -}}
{{- $here := "where operatorApi.enabled is true" -}}
{{- if not .url }}{{ $faults = append $faults (printf "operatorApi.url: say under which address browsers reach the API %s." $here) }}{{ end -}}
{{- if ne $.Values.defaults.timingProfile "sandbox" -}}
{{- if and (hasPrefix "http://" .url) (ne (include "opendsr.hostOf" .url) "localhost") }}{{ $faults = append $faults (printf "operatorApi.url: must be https %s and defaults.timingProfile is production; only localhost, the end of a forwarded port, may be http." $here) }}{{ end -}}
{{- if hasPrefix "http://" .oidc.issuer }}{{ $faults = append $faults (printf "operatorApi.oidc.issuer: must be https %s and defaults.timingProfile is production." $here) }}{{ end -}}
{{- end -}}
{{- range $name := list "issuer" "clientId" "audience" -}}
{{- if not (index $.Values.operatorApi.oidc $name) }}{{ $faults = append $faults (printf "operatorApi.oidc.%s: must be set %s." $name $here) }}{{ end -}}
{{- end -}}
{{- if and .oidc.audience (eq .oidc.audience .oidc.clientId) }}{{ $faults = append $faults "operatorApi.oidc.audience: must differ from operatorApi.oidc.clientId, so that no ID token passes for an access token." }}{{ end -}}
{{- if not .roles }}{{ $faults = append $faults (printf "operatorApi.roles: say who has which role %s, or nobody has one." $here) }}{{ end -}}
{{- if and $.Values.networkPolicy.enabled (not $.Values.networkPolicy.operatorsFrom) }}{{ $faults = append $faults (printf "networkPolicy.operatorsFrom: name the peers that may reach the API %s, or none does." $here) }}{{ end -}}
{{- end -}}
{{- range $name := list "ingress" "gatewayApi" -}}
{{- if (index $.Values.operatorApi $name).enabled }}{{ $faults = concat $faults (include "opendsr.faults.operatorEntrance" (dict "root" $ "name" $name) | fromJsonArray) }}{{ end -}}
{{- end -}}
{{- end -}}
{{- $faults | toJson -}}
{{- end }}

{{/* A host of their own: cookies of sessions are for a host, and all of its paths lead there. Takes (dict "root" $ "name" "ingress"). */}}
{{- define "opendsr.faults.operatorEntrance" -}}
{{- $faults := list -}}
{{- $v := .root.Values -}}
{{- $value := printf "operatorApi.%s" .name -}}
{{- $url := urlParse $v.operatorApi.url -}}
{{- $host := include "opendsr.hostOf" $v.operatorApi.url -}}
{{- if not $v.operatorApi.enabled }}{{ $faults = append $faults (printf "%s.enabled: leads nowhere where operatorApi.enabled is false." $value) }}{{ end -}}
{{- if and $host (ne $url.scheme "https") }}{{ $faults = append $faults (printf "operatorApi.url: must be https where %s.enabled is true, for browsers take the cookie of a session over TLS alone." $value) }}{{ end -}}
{{- if not (has $url.path (list "" "/")) }}{{ $faults = append $faults (printf "operatorApi.url: must have no path where %s.enabled is true, for its whole host leads to the service." $value) }}{{ end -}}
{{- $public := list (include "opendsr.hostOf" $v.gateway.baseUrlV2) (include "opendsr.hostOf" $v.gateway.baseUrlV1) -}}
{{- range list $v.ingress $v.gatewayApi }}{{ $public = concat $public (list .hosts.v2 .hosts.v1 .hosts.ingestion) }}{{ end -}}
{{- if and $host (has $host $public) }}{{ $faults = append $faults (printf "operatorApi.url: must have a host of its own where %s.enabled is true; %s leads to the public ports." $value $host) }}{{ end -}}
{{- if and (eq .name "gatewayApi") (not $v.operatorApi.gatewayApi.parentRefs) }}{{ $faults = append $faults "operatorApi.gatewayApi.parentRefs: name the Gateway that the route attaches to." }}{{ end -}}
{{- $key := ternary "standalone" "gateway" (eq "true" (include "opendsr.embedded" .root)) -}}
{{- $service := include "opendsr.service" (dict "root" .root "key" $key) | fromJson -}}
{{- if kindIs "invalid" $service.trustedProxies }}{{ $faults = append $faults (printf "%s.trustedProxies: name the addresses of what %s brings operators through, or they all count as one for the limits; an empty list says that they may." $key $value) }}{{ end -}}
{{- $faults | toJson -}}
{{- end }}

{{- define "opendsr.faults.monitoring" -}}
{{- $faults := list -}}
{{- with .Values -}}
{{- if and .monitoring.serviceMonitor.enabled .networkPolicy.enabled (not .networkPolicy.monitoringFrom) }}{{ $faults = append $faults "networkPolicy.monitoringFrom: name the pods of Prometheus where monitoring.serviceMonitor.enabled is true, or it reads nothing." }}{{ end -}}
{{- end -}}
{{- $faults | toJson -}}
{{- end }}

{{/* Requests and limits of every container: a null takes a default away, and helm says nothing of that. */}}
{{- define "opendsr.faults.resources" -}}
{{- $faults := list -}}
{{- $root := . -}}
{{- $all := dict "topicsJob" .Values.topicsJob.resources "operatorJob" .Values.operatorJob.resources "helmTest" .Values.helmTest.resources -}}
{{- range include "opendsr.services" . | fromJsonArray }}{{ $_ := set $all .key (include "opendsr.service" (dict "root" $root "key" .key) | fromJson).resources }}{{ end -}}
{{- range $key, $resources := $all -}}
{{- range $kind := list "requests" "limits" -}}
{{- range $what := list "cpu" "memory" -}}
{{- $quantity := dig $kind $what "" $resources -}}
{{- if or (not $quantity) (eq "0" (toString $quantity)) }}{{ $faults = append $faults (printf "%s.resources.%s.%s: must be set, for no container is without requests and limits; a null takes the default away." $key $kind $what) }}{{ end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $faults | toJson -}}
{{- end }}

{{/* Each app: how it stops and is scaled; no setting is given twice. */}}
{{- define "opendsr.faults.services" -}}
{{- $faults := list -}}
{{- $root := . -}}
{{- $lags := include "opendsr.keda.lags" . | fromJson -}}
{{- range $app := include "opendsr.services" . | fromJsonArray -}}
{{- $key := $app.key -}}
{{- $service := include "opendsr.service" (dict "root" $root "key" $key) | fromJson -}}
{{- $drain := include "opendsr.drainSeconds" $service.stop | int64 -}}
{{- if le (int64 (include "opendsr.graceSeconds" $service.stop)) $drain }}{{ $faults = append $faults (printf "%s.stop.gracePeriodSeconds: must be more than %d, which stop.preStopSeconds, stop.delaySeconds and stop.timeoutSeconds take, or pods are killed at work." $key $drain) }}{{ end -}}
{{- $least := include "opendsr.leastReplicas" $service | int64 -}}
{{- if and (eq 0 (int64 $service.rollingUpdate.maxSurge)) (eq 0 (int64 $service.rollingUpdate.maxUnavailable)) }}{{ $faults = append $faults (printf "%s.rollingUpdate: maxSurge and maxUnavailable must not both be 0, or no pod could be replaced." $key) }}{{ end -}}
{{- if and (ge $least 2) (ge (int64 $service.rollingUpdate.maxUnavailable) $least) }}{{ $faults = append $faults (printf "%s.rollingUpdate.maxUnavailable: must be less than %d, the least pods there are." $key $least) }}{{ end -}}
{{- with $service.probes.liveness }}{{ if lt (mul (int64 .periodSeconds) (int64 .failureThreshold)) 120 }}{{ $faults = append $faults (printf "%s.probes.liveness: periodSeconds times failureThreshold must be 120 s or more, or a process that is only busy is killed." $key) }}{{ end }}{{ end -}}
{{- if and $service.podDisruptionBudget.enabled (ge $least 2) (ge (int64 $service.podDisruptionBudget.maxUnavailable) $least) }}{{ $faults = append $faults (printf "%s.podDisruptionBudget.maxUnavailable: must be less than %d, the least pods there are." $key $least) }}{{ end -}}
{{- $secrets := include "opendsr.secrets" (dict "root" $root "app" $app) | fromJsonArray -}}
{{- $settings := merge (include "opendsr.settings" (dict "root" $root "app" $app "service" $service "secrets" $secrets) | fromJson) $service.settings -}}
{{- range $service.extraEnv }}{{ if regexMatch "SECRET|PASSWORD|TOKEN|CREDENTIAL|PRIVATE|MASTER_KEY|SIGNING_KEY|MONGODB_URI" .name }}{{ $faults = append $faults (printf "%s.extraEnv: %s is a secret or names one, which comes as a file from a Secret that another value names." $key .name) }}{{ end }}{{ end -}}
{{- range $service.extraEnv }}{{ if hasKey $settings .name }}{{ $faults = append $faults (printf "%s.extraEnv: %s is set by the chart from another value." $key .name) }}{{ end }}{{ end -}}
{{- with $service.autoscaling -}}
{{- if ne .mode "none" -}}
{{- if hasKey (index $root.Values $key) "replicas" }}{{ $faults = append $faults (printf "%s.replicas: has no effect where %s.autoscaling.mode is %s; say autoscaling.minReplicas and maxReplicas." $key $key .mode) }}{{ end -}}
{{- if gt (int64 .minReplicas) (int64 .maxReplicas) }}{{ $faults = append $faults (printf "%s.autoscaling.minReplicas: must not be more than maxReplicas." $key) }}{{ end -}}
{{- end -}}
{{- if eq .mode "keda" -}}
{{- $partitions := int64 (index $lags $key).partitions -}}
{{- if gt (int64 .maxReplicas) $partitions }}{{ $faults = append $faults (printf "%s.autoscaling.maxReplicas: must not be more than %d, the partitions of its topics; further pods would have nothing to do." $key $partitions) }}{{ end -}}
{{- if or (lt (int64 .fallbackReplicas) (int64 .minReplicas)) (gt (int64 .fallbackReplicas) (int64 .maxReplicas)) }}{{ $faults = append $faults (printf "%s.autoscaling.fallbackReplicas: must lie between minReplicas and maxReplicas." $key) }}{{ end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $faults | toJson -}}
{{- end }}
