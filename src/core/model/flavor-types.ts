/** These values of the field `type` mark a flavor. */
export const FLAVOR_TYPES = ['flavor', 'vm_flavor'] as const;
