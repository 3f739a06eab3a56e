/** Why a sign-in at the identity provider did not succeed. */
export type SignInFailure = 'refused' | 'away';

/** What the service adds to the address of the console after such a sign-in. */
export function failureIn(search: string): SignInFailure | undefined {
  const value = new URLSearchParams(search).get('sign_in');
  return value === 'refused' || value === 'away' ? value : undefined;
}
