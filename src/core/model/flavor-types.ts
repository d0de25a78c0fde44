/** Values of `type` in flavors. Some registries use the second one. */
export const FLAVOR_TYPES = ['flavor', 'vm_flavor'] as const;
