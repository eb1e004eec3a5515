/**
 * The address of the service, without a slash at the end: that of the console, which may stand below a path of a web
 * site.
 */
export function serviceUrl(): string {
  return new URL('.', location.href).href.replace(/\/$/, '');
}
