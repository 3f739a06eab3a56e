import { ConnectionFault, tlsFault } from './connection-fault';

describe('a fault of a connection', () => {
  it.each([
    ['SELF_SIGNED_CERT_IN_CHAIN', 'untrusted'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'untrusted'],
    ['CERT_HAS_EXPIRED', 'expired'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'host-name'],
    ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'client-certificate'],
    ['ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE', 'client-certificate'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls'],
    ['ECONNREFUSED', undefined],
    [18, undefined],
  ])('is derived from Node’s code %s: %s', (code, kind) => {
    expect(tlsFault(code)).toBe(kind);
  });

  it('names the fault for the operator, and leaves texts that may hold a secret to its cause', () => {
    const fault = new ConnectionFault('MongoDB', 'expired', { cause: new Error('secret') });
    expect(fault.message).toBe('MongoDB: its certificate is not valid now (expired)');
    expect(fault.holdsNoValues).toBe(true);
  });
});
