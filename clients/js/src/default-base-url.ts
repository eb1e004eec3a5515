/** Address of the script that defines the client, when a page loads it by a tag. Known only while it runs. */
const script = typeof document === 'undefined' ? null : document.currentScript;

/** The service from which the client was loaded, which may be below a path; else the one of the page. */
export function defaultBaseUrl(): string {
  return script instanceof HTMLScriptElement && script.src !== ''
    ? new URL('.', script.src).href.replace(/\/$/, '')
    : location.origin;
}
