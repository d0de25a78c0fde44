/** The values of `type` that mark a flavor. */
export const FLAVOR_TYPES = ['flavor', 'vm_flavor'] as const;
