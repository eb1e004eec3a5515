import { expect, it } from 'vitest';
import { webAddress } from './web-address.ts';

// "localhost:8080" is what a local server prints. The browser took it for an address, and the API refused it.
it.each([
  ['localhost:8080', 'http://localhost:8080'],
  [' localhost:11434/v1 ', 'http://localhost:11434/v1'],
  ['192.168.1.20:1234/v1', 'http://192.168.1.20:1234/v1'],
  ['[::1]:8080', 'http://[::1]:8080'],
  ['gpu:8000/v1', 'http://gpu:8000/v1'],
  ['gpu.local:8000', 'http://gpu.local:8000'],
  ['llm.example.com/v1', 'https://llm.example.com/v1'],
  ['<https://llm.example.com>', 'https://llm.example.com'],
  ['http://localhost:8080', 'http://localhost:8080'],
  ['HTTPS://llm.example.com', 'HTTPS://llm.example.com'],
  ['', ''],
  ['me@example.com', 'me@example.com'],
])('%j is %j', (pasted, address) => expect(webAddress(pasted)).toBe(address));
