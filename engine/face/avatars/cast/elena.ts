import type { AvatarSpec } from '../avatar-spec.ts';

export const elena: AvatarSpec = {
  engineKey: 'stock-elena',
  displayName: 'Elena',
  variantName: 'Office',
  description: 'A woman in her thirties with long chestnut hair and a navy blazer, in a bright office.',
  tags: ['woman', 'business', 'office', 'warm'],
  skin: { base: '#f0c3a4', light: '#ffe3cd', shade: '#d0906f', deep: '#8f4f3c', blush: '#e58a78' },
  face: { cheek: 95, jaw: 72, chinWidth: 22, chinY: 148, neckWidth: 46, age: 0.12 },
  eyes: { iris: '#6d8a63', irisRim: '#2b3a2a', size: 1.12, tilt: 3, lashes: 0.9, lidColor: '#c98f78', crease: 0.7 },
  brows: { color: '#5a3524', thickness: 7.5, arch: 3.5 },
  nose: { width: 18.5, length: 1, bridge: 0.35 },
  mouth: { halfWidth: 36, fullness: 1.05, color: '#d4746f', shade: '#a8474b', gloss: 0.7 },
  hair: { style: 'long-waves', base: '#6e3f26', shade: '#2f1810', light: '#b5794a' },
  beard: null,
  outfit: { kind: 'blazer', base: '#2c3c5e', shade: '#141d33', light: '#4d6593', inner: '#f1ebe2' },
  glasses: null,
  earrings: '#e8c77e',
  background: { kind: 'office', base: '#a9b7bd', light: '#e6ebe8', accent: '#8c6f55' },
};
