/** The values of `type` in flavors. Some registries use the second value. */
export const FLAVOR_TYPES = ['flavor', 'vm_flavor'] as const;
