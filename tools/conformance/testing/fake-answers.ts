import { randomUUID } from 'node:crypto';
import { DISCOVERY_IDENTITIES, REQUEST_TYPES, type ProtocolVersion } from '@opendsr-service/contracts';
import type { Stored } from './fake-store';
import type { Fault } from './faults';

/** What the fake says about its requests, in answers and callbacks. */
export class FakeAnswers {
  constructor(
    private readonly url: () => string,
    private readonly broken: Fault | undefined,
  ) {}

  discovery({ apiVersion, root }: ProtocolVersion): object {
    return {
      api_version: apiVersion,
      supported_identities: DISCOVERY_IDENTITIES.map((identity_type) => ({ identity_type, identity_format: 'raw' })),
      supported_subject_request_types: REQUEST_TYPES,
      processor_certificate: `${this.url()}/${root}/certificate`,
    };
  }

  callbackOf(stored: Stored, url: string): object {
    const { controller_id, expected_completion_time, subject_request_id } = this.common(stored);
    const {
      status: request_status,
      version: { apiVersion: api_version },
    } = stored;
    const body = {
      controller_id,
      expected_completion_time,
      status_callback_url: url,
      subject_request_id,
      request_status,
      api_version,
      results_url: this.resultsUrl(stored),
      extensions: null,
    };
    const changes: Partial<Record<Fault, object>> = {
      'callbacks have no results_url': { results_url: null },
      'callbacks without controller_id': { controller_id: undefined },
      'callbacks name another id': { subject_request_id: randomUUID() },
      'callbacks say the other version': { api_version: 'of another' },
      'callbacks of a cancel have results': stored.status === 'cancelled' ? { results_url: this.url() } : {},
    };
    return { ...body, ...(this.broken && changes[this.broken]) };
  }

  record(stored: Stored): object {
    return {
      ...this.common(stored),
      group_id: stored.group,
      request_status: stored.status,
      api_version: stored.version.apiVersion,
      results_url: this.resultsUrl(stored),
      extensions: null,
    };
  }

  private resultsUrl({ type, status, version, token }: Stored): string | null {
    const hasResults =
      type === 'erasure'
        ? this.is('erasures have results')
        : !this.is(type === 'access' ? 'access has no results' : 'portability has no results');
    const isEnded = status === 'completed' || this.is('results_url from the beginning');
    return hasResults && isEnded
      ? `${this.url()}/${this.is('results elsewhere') ? 'download' : version.root}/results/${token}`
      : null;
  }

  common(stored: Stored) {
    return {
      controller_id: this.is('another controller_id each time') ? randomUUID() : 'controller',
      expected_completion_time: this.now(),
      subject_request_id: this.is('ids lose their case') ? stored.id : stored.sent,
    };
  }

  now(): string {
    return new Date().toISOString().replace('Z', this.is('times with an offset') ? '+00:00' : 'Z');
  }

  private is(fault: Fault): boolean {
    return this.broken === fault;
  }
}
