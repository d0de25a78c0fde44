/** What flavors say as their `type`: the name of their kind, or what registries have that say what they are sizes of. */
export const FLAVOR_TYPES = ['flavor', 'vm_flavor'] as const;
