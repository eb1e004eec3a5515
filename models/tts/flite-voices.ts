/** The English voices of Debian's libflite1 at 16 kHz. */
export const FLITE_VOICES = ['slt', 'rms', 'awb', 'kal16'] as const;
