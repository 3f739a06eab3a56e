/** Our metrics without an alert, with the reason: they are on dashboards or for queries. */
export const WITHOUT_ALERT: Readonly<Record<string, string>> = {
  opendsr_after_erasure_calls_total: 'says how often a policy was applied, which is as the workspace wants it',
  opendsr_rate_limited_total: 'a caller over its budget is refused as it should be',
  opendsr_rate_limit_fallback_total:
    'a database that is slow or away shows in failing creates and workers, and no call is refused for it',
  opendsr_attestations_total: 'requests that wait for theirs show as overdue work, which has an alert',
  opendsr_build_info: 'is always 1',
  opendsr_callbacks_undelivered: 'how many wait says nothing without how long: see the oldest',
  opendsr_records_skipped_total:
    'records whose key is gone are passed over after every erasure, and those of a later version during an upgrade',
  opendsr_http_connections: 'how many are open says nothing while none is refused',
  opendsr_http_calls: 'how many are worked on says nothing while none is refused',
  opendsr_http_calls_refused_total: 'refused calls are 503 answers, which have alerts',
  opendsr_key_generation_age_seconds: 'a rotation that is late shows as overdue work, which has an alert',
  opendsr_key_rotation_progress_ratio: 'says how far a rotation is; one that does not end shows as overdue work',
  opendsr_operator_streams: 'how many watch says nothing: a stream beyond the limits is refused',
  opendsr_requests: 'how many are open follows from how many come: see those past their time',
  opendsr_requests_total: 'how many come is for the controllers to say',
  opendsr_witness_offers_total: 'an offer that fails is repeated; a witness that stays silent has an alert by its age',
};
