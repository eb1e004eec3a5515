import { defineConfig } from 'vite';

export default defineConfig({
  oxc: { jsx: { runtime: 'automatic', development: false } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    reportCompressedSize: false,
    lib: { entry: 'src/index.ts', formats: ['es'], fileName: () => 'react.mjs' },
    rollupOptions: {
      external: ['react', 'react/jsx-runtime', '@parley/client'],
      // Frameworks with server components run what has no such mark on the server alone, where React has no hooks.
      output: { banner: "'use client';" },
    },
  },
});
