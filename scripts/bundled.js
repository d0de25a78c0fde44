/** The packages whose code is part of the explorer's scripts. npm does not install them with gridpress. */
export const BUNDLED = ['@noble/hashes', 'preact'];
