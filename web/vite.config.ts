import { defineConfig } from 'vite';

/** The console is a static page; the control plane serves `dist/` at `/`. */
export default defineConfig({
  // The service may stand below a path of a web site.
  base: './',
  // Also when a test builds it: the development form of JSX would carry this machine's paths.
  oxc: { jsx: { development: false } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    reportCompressedSize: false,
    // Of the libraries in it.
    license: { fileName: 'licenses.md' },
  },
  // `vite web` during development, beside a running service.
  server: {
    proxy: {
      '/v1': { target: 'http://127.0.0.1:8080', ws: true },
      '/healthz': 'http://127.0.0.1:8080',
      '/readyz': 'http://127.0.0.1:8080',
    },
  },
});
