/** Hosts of one's own machine or network, where hardly anybody has a certificate. */
const OWN =
  /^(localhost|[\w-]+\.(local|lan|internal|home|test)|\d{1,3}(\.\d{1,3}){3}|\[[\da-f:]+\]|[\w-]+(?=:\d))(:\d+)?$/i;

/**
 * An address as people paste it, made whole: `localhost:8080` is `http://localhost:8080`, and `llm.example.com/v1` begins
 * with `https://`. What has a scheme, and what is no address, stays as it is.
 */
export function webAddress(text: string): string {
  const address = text.trim().replace(/^[<"'](.*)[>"']$/s, '$1');
  if (address === '' || /^[a-z][a-z\d+.-]*:\/\//i.test(address) || /[\s@]/.test(address)) return address;
  const host = address.split(/[/?#]/)[0]!;
  return `${OWN.test(host) ? 'http' : 'https'}://${address}`;
}
