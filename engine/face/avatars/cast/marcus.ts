import type { AvatarSpec } from '../avatar-spec.ts';

export const marcus: AvatarSpec = {
  engineKey: 'stock-marcus',
  displayName: 'Marcus',
  variantName: 'Library',
  description: 'A man in his thirties with short hair, a trimmed beard and an open white shirt, before book shelves.',
  tags: ['man', 'business', 'library', 'calm'],
  skin: { base: '#8d5a3c', light: '#c08a63', shade: '#5f3722', deep: '#371c11', blush: '#9c5238' },
  face: { cheek: 99, jaw: 83, chinWidth: 32, chinY: 151, neckWidth: 60, age: 0.22 },
  eyes: { iris: '#5b3a22', irisRim: '#1f100a', size: 1.02, tilt: 1.5, lashes: 0.25, lidColor: '#744630', crease: 0.6 },
  brows: { color: '#1d120d', thickness: 9.5, arch: 1 },
  nose: { width: 24, length: 1.02, bridge: 0.4 },
  mouth: { halfWidth: 40, fullness: 1.18, color: '#9a5a4c', shade: '#6b352c', gloss: 0.3 },
  hair: { style: 'crop', base: '#2a1d18', shade: '#120b09', light: '#5c443a' },
  beard: { color: '#1a100c', density: 0.62 },
  outfit: { kind: 'shirt', base: '#e6ebf2', shade: '#a9b5c6', light: '#ffffff', inner: '#ffffff' },
  glasses: null,
  earrings: null,
  background: { kind: 'shelves', base: '#6b4a35', light: '#a8795a', accent: '#ffd9a0' },
};
