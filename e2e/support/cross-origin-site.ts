import { serveOnLoopback } from './loopback-server.ts';

export interface CrossOriginSite {
  /** `scheme://host:port` */
  readonly origin: string;
  close(): Promise<void>;
}

/**
 * A web site of another origin than the service, with one page.
 * @param host a name of this machine. @param body of its page, at every address; a function is asked at each request.
 */
export async function serveCrossOriginSite(
  host: 'localhost' | '127.0.0.1',
  body: string | (() => string),
): Promise<CrossOriginSite> {
  const { port, close } = await serveOnLoopback((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(`<!doctype html><html lang="en"><head><title>A shop</title>
<meta name="viewport" content="width=device-width, initial-scale=1"></head><body>${typeof body === 'string' ? body : body()}</body></html>`);
  });
  return { origin: `http://${host}:${port}`, close };
}
