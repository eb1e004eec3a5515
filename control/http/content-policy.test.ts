import { describe, expect, it } from 'vitest';
import { consolePolicy, foreignPagePolicy } from './content-policy.ts';

describe('the policy of the console', () => {
  it('reaches the service where clients reach it, and nobody else', () => {
    const policy = consolePolicy('https://talk.example.com:8443');
    expect(policy).toContain(
      "connect-src 'self' http://talk.example.com:8443 https://talk.example.com:8443 ws://talk.example.com:8443 wss://talk.example.com:8443;",
    );
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toMatch(/(http|https|ws|wss):[; ]/);
  });

  // Chromium called the whole list invalid on http://[::1]:8080.
  it.each(['http://[::1]:8080', 'https://[2001:db8::1]'])('names no IPv6 address, which no policy can: %s', (url) => {
    const policy = consolePolicy(url);
    expect(policy).not.toContain('[');
    expect(policy).toContain("connect-src 'self';");
    expect(policy).toContain("img-src 'self' data: blob:;");
  });
});

describe('the policy of a page with scripts of its own', () => {
  it('allows these and no other', () => {
    const policy = foreignPagePolicy('<script src="js/a.js"></script><script type="text/javascript">start()</script>');
    expect(policy).toContain("script-src 'self' 'sha256-DIm7WJS6ZKDYe5qFLPy+h4JFI9Bol5QmYC57mt3Fb00=';");
    expect(policy.match(/sha256-/g)).toHaveLength(1);
    expect(foreignPagePolicy('<p>no script</p>')).toContain("script-src 'self';");
  });
});
