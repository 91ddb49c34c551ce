/**
 * Whether a name is that of the software, but for what a comparison with `===` does not forgive: capitals, white space, invisible
 * characters, a version or an owner written along with it. `loops-relay` is another software and no near miss.
 */
export function isNearMiss(name: string, softwareId: string): boolean {
  if (name === softwareId) return false;
  const plain = name
    .normalize('NFKC')
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .trim()
    .toLowerCase();
  const id = softwareId.toLowerCase();
  const rest = plain.replace(/^join[\w-]*\//, '');
  if (!rest.startsWith(id)) return false;
  return /^(?:[-_ ]?server)?(?:[-_ /@:]?v?\d.*)?$/.test(rest.slice(id.length));
}
