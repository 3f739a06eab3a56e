/** A file of credentials as AWS's tools read it. */
export const awsCredentials = (accessKey: string): string =>
  `[default]\naws_access_key_id = ${accessKey}\naws_secret_access_key = planted-secret\n`;
