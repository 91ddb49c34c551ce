/** The short identifier of a video, made of its id: a snowflake in base64url, at most 11 characters; another id as it is. */
export function shortcode(id: string): string {
  if (!/^\d{1,19}$/.test(id)) return encodeURIComponent(id);
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(id));
  return bytes.toString('base64url').replace(/^A+(?=.)/, '');
}
